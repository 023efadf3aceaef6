/** Certificates and protocols that a notification must not trust, and those that it must. */
import type { TLSSocket, TlsOptions } from 'node:tls';
import { issue, newAuthority } from '../helpers/network/authority.js';
import type { Ground, Scenarios } from './ground.js';
import { httpReceiver, httpsReceiver } from './receivers.js';

type Version = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

export function tlsScenarios(ground: Ground): Scenarios {
  const { host, authority, pair, send } = ground;
  /** `seen` counts the requests, each of which would be a notification told to a stranger. */
  const to = async (tls: TlsOptions) => {
    let seen = 0;
    const receiver = await httpsReceiver(host, tls, (_request, response) => {
      seen += 1;
      response.end();
    });
    return { ...(await send(receiver.port)), seen };
  };
  /** Only level 0 of OpenSSL's security still speaks the old ones. */
  const only = (version: Version) =>
    to({ ...pair, minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' });
  return {
    'trusted certificate': () => to(pair),
    'TLS 1.2': () => only('TLSv1.2'),
    'TLS 1.3': () => to({ ...pair, minVersion: 'TLSv1.3' }),
    'TLS 1.1': () => only('TLSv1.1'),
    'TLS 1.0': () => only('TLSv1'),
    'self-signed': async () => to(await issue(null, { names: ['shop.example'] })),
    expired: async () => to(await issue(authority, { names: ['shop.example'], isExpired: true })),
    'wrong host': async () => to(await issue(authority, { names: ['other.example'] })),
    'unknown authority': async () =>
      to(await issue(await newAuthority('strangers'), { names: ['shop.example'] })),
    'second attempt': async () => {
      const seen: boolean[] = [];
      const receiver = await httpsReceiver(host, pair, (request, response) => {
        seen.push((request.socket as TLSSocket).isSessionReused());
        response.end();
      });
      await send(receiver.port);
      return { ...(await send(receiver.port)), seen };
    },
    'plain http': async () => {
      const receiver = await httpReceiver(host, (_request, response) => response.end());
      return send(receiver.port);
    },
  };
}
