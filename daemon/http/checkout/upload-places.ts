/**
 * How many uploads of slips are read at once, in all and for one address: each may take long and holds its
 * file in memory. Knows nothing of forms and payments.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../gates/limits.js';

/** Each up to 2 MiB in memory. */
const MAX_UPLOADS = 32;
/** So that nobody takes all places; not one, because the phones of a mobile network share addresses. */
const MAX_OF_ADDRESS = 8;

interface Upload {
  readonly address: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Asked and not told: of an answer that waits behind another one on its connection Node does not say that the
 * connection has ended, and its place would be taken for ever.
 */
function isUnderWay({ request, response }: Upload): boolean {
  return !request.socket.destroyed && !response.writableFinished;
}

/** @returns a function that gives an upload its place, until it is answered or gone, or says false. */
export function openUploadPlaces(): (request: FastifyRequest, reply: FastifyReply) => boolean {
  let uploads: Upload[] = [];
  return (request, reply) => {
    uploads = uploads.filter(isUnderWay);
    const address = addressOf(request);
    const neighbours = uploads.filter((upload) => upload.address === address);
    if (uploads.length >= MAX_UPLOADS || neighbours.length >= MAX_OF_ADDRESS) return false;
    uploads.push({ address, request: request.raw, response: reply.raw });
    return true;
  };
}
