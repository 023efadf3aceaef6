/**
 * The relay agent as the one file that a phone fetches, and its checksum. Public; no authentication.
 * It is the same for everybody and holds no secret.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type CompressedContent, codingFor, once, pack, sendPacked } from '../compressed-content.js';

const NAME = 'kashbox-relay.mjs';

/** Location of the built file. When run from the sources, the file of the last build is used. */
const BUILT = new URL(
  import.meta.url.endsWith('.ts') ? `../../../dist/relay/${NAME}` : `../../../relay/${NAME}`,
  import.meta.url,
);

interface RelayFile extends CompressedContent {
  /** Hex. */
  readonly sha256: string;
}

/** Serves `/relay/kashbox-relay.mjs` and, in the format of `sha256sum`, `/relay/kashbox-relay.mjs.sha256`. */
export function relayFileRoutes(app: FastifyInstance): void {
  const file = once(read);

  app.get(`/relay/${NAME}`, async (request, reply) => {
    const packed = await file();
    // Compressed bytes differ, so they need another strong ETag (RFC 9110, 8.8.3).
    const weak = codingFor(request.headers['accept-encoding']) === null ? '' : 'W/';
    revalidated(reply).header('vary', 'accept-encoding').header('etag', `${weak}"${packed.sha256}"`);
    if (holds(request.headers['if-none-match'], packed.sha256)) return reply.code(304).send();
    reply.type('text/javascript; charset=utf-8');
    return sendPacked(request, reply, packed);
  });

  app.get(`/relay/${NAME}.sha256`, async (_request, reply) => {
    const { sha256 } = await file();
    return revalidated(reply).type('text/plain; charset=utf-8').send(`${sha256}  ${NAME}\n`);
  });
}

async function read(): Promise<RelayFile> {
  const plain = await readFile(BUILT).catch((cause: unknown) => {
    throw new Error(`${NAME} is not built. Run "npm run build".`, { cause });
  });
  const sha256 = createHash('sha256').update(plain).digest('hex');
  return { ...(await pack(plain)), sha256 };
}

/** Requires revalidation: after an update of Kashbox a phone must not get the old agent. */
function revalidated(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-cache');
}

/** True if an `If-None-Match` names our file (RFC 9110, 13.1.2: weak comparison). */
function holds(header: string | undefined, sha256: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(`"${sha256}"`);
}
