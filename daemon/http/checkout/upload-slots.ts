/**
 * How many uploads of slips are read at once, in all and for one address: each may take long and holds its
 * file in memory. Knows nothing of forms and payments.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../gates/limits.js';

/** Each up to 2 MiB in memory. */
const MAX_UPLOADS = 32;
/** One address must not take all slots; more than one, because phones of a mobile network share addresses. */
const MAX_OF_ADDRESS = 8;

interface Upload {
  readonly address: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Polled: Node does not report the end of a connection for an answer that waits behind another one, and its
 * slot would never be freed.
 */
function isUnderWay({ request, response }: Upload): boolean {
  return !request.socket.destroyed && !response.writableFinished;
}

/**
 * @returns a function that takes a slot for an upload until it is answered or aborted; false if there is
 *   none.
 */
export function openUploadSlots(): (request: FastifyRequest, reply: FastifyReply) => boolean {
  let uploads: Upload[] = [];
  return (request, reply) => {
    uploads = uploads.filter(isUnderWay);
    const address = addressOf(request);
    const sameAddress = uploads.filter((upload) => upload.address === address);
    if (uploads.length >= MAX_UPLOADS || sameAddress.length >= MAX_OF_ADDRESS) return false;
    uploads.push({ address, request: request.raw, response: reply.raw });
    return true;
  };
}
