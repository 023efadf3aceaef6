/** `kashbox-relay pair`: turns a one-time code into a device key that stays in the home folder. */
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { RelayError } from '../core/errors.js';
import {
  checkPairing,
  type PairingInput,
  parsePairingLink,
  parsePairingReply,
  type Trust,
} from '../core/pairing.js';
import { nodeClock } from '../ports/node-clock.js';
import { NodeHttp } from '../ports/node-http.js';
import { APP_VERSION } from '../version.js';
import { platformHere } from './choose-platform.js';
import { type CommonOptions, openHome } from './context.js';
import { post } from './paired-server.js';

export interface PairOptions extends CommonOptions {
  readonly url?: string;
  readonly code?: string;
  readonly fingerprint?: string;
  readonly ca?: string;
}

export async function pair(link: string | undefined, options: PairOptions): Promise<string> {
  const input = parsePairingInput(link, options);
  const trust = await loadTrust(input, options.ca);
  const home = openHome(options.home);
  // A code works once, so the folder is checked before the code is used.
  await home.prepare();
  const http = new NodeHttp(input.url, trust);
  const body = JSON.stringify({
    code: input.code,
    app_version: APP_VERSION,
    platform: platformHere(process.env) ?? 'computer',
  });
  const reply = await post(http, 'pair', body).finally(() => http.close());
  const paired = parsePairingReply(reply);
  await home.writeConfig({ url: input.url, ...paired, trust, pairedAt: nodeClock.now() });
  const { deviceId: id, deviceName: name } = paired;
  if (options.json) return JSON.stringify({ url: input.url, device: { id, name } });
  return `Paired with ${input.url} as "${name}" (${id}).\nNow start the agent: kashbox-relay run`;
}

function parsePairingInput(link: string | undefined, options: PairOptions): PairingInput {
  const { url, code, fingerprint } = options;
  if (link !== undefined) {
    if (url !== undefined || code !== undefined || fingerprint !== undefined) {
      throw new RelayError('invalid_input', 'Give either the link or --url and --code, not both');
    }
    return parsePairingLink(link);
  }
  if (url === undefined || code === undefined) {
    throw new RelayError('invalid_input', 'Give the link of the QR code, or --url and --code');
  }
  return checkPairing(url, code, fingerprint);
}

async function loadTrust(input: PairingInput, caFile: string | undefined): Promise<Trust> {
  if (input.sha256 !== null && caFile !== undefined) {
    throw new RelayError('invalid_input', 'Give either a fingerprint or --ca, not both');
  }
  if (input.sha256 !== null) return { kind: 'pin', sha256: input.sha256 };
  if (caFile === undefined) return { kind: 'system' };
  try {
    const pem = await readFile(caFile, 'utf8');
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('no certificate in it');
    createSecureContext({ ca: pem });
    return { kind: 'ca', pem };
  } catch (error) {
    throw new RelayError('invalid_input', `${caFile} is not a readable PEM file of certificates`, error);
  }
}
