/** The address at which customers reach this daemon; all links begin with it. */
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../../src/config/settings.js';

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** @returns the public origin with the base path, to which paths such as `/api/…` are added. */
export function publicBase(request: FastifyRequest, settings: Settings): string {
  return `${publicOrigin(request, settings)}${settings.basePath}`;
}

/**
 * Returns the setting `publicUrl`, else the host of the request (behind a trusted proxy the one that the
 * proxy reports), else the address of the socket. A shop that sends a wrong host gets a wrong link; no other
 * shop is affected.
 * @returns an https origin without a trailing slash.
 */
export function publicOrigin(request: FastifyRequest, settings: Settings): string {
  if (settings.publicUrl !== '') return settings.publicUrl;
  const { host } = request;
  if (HOST.test(host) && URL.canParse(`https://${host}`)) return new URL(`https://${host}`).origin;
  const { localAddress = 'localhost', localPort = settings.port } = request.socket;
  const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return new URL(`https://${name}:${localPort}`).origin;
}
