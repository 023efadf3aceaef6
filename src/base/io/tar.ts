/**
 * Tar files, member by member, so that none needs to fit into memory. Reads plain files and nothing else.
 * Knows nothing of what the members are.
 */
import { pipeline, Readable } from 'node:stream';
import { pipeline as piped } from 'node:stream/promises';
import { extract, type Pack, pack } from 'tar-stream';
import { KashboxError } from '../errors/errors.js';
import { orDamaged } from './damage.js';

const PRIVATE = 0o600;

export interface TarMember {
  readonly name: string;
  readonly size: number;
  /** Exactly `size` bytes. */
  readonly content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** A member while it is read: to its end or not at all. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** @param at time of all members, milliseconds since the epoch. */
export async function* packTar(members: AsyncIterable<TarMember>, at: number): AsyncGenerator<Buffer> {
  const tar = pack();
  // The error reaches whoever reads the tar.
  fill(tar, members, new Date(at)).catch((error: Error) => tar.destroy(error));
  yield* tar as AsyncIterable<Buffer>;
}

async function fill(tar: Pack, members: AsyncIterable<TarMember>, mtime: Date): Promise<void> {
  for await (const { name, size, content } of members) {
    await piped(content, tar.entry({ name, size, mode: PRIVATE, mtime }));
  }
  tar.finalize();
}

/** @throws KashboxError `backup_damaged` if it is not a tar of plain files, and what `chunks` throws */
export async function* extractTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const tar = extract();
  // The error reaches whoever reads the members.
  pipeline(Readable.from(chunks, { objectMode: false }), tar, () => {});
  for await (const entry of orDamaged(tar)) {
    const { name, size = 0, type } = entry.header;
    if (type !== 'file') throw new KashboxError('backup_damaged');
    const content = orDamaged(entry as AsyncIterable<Buffer>);
    yield { name, size, content };
    for await (const _passedOver of content);
  }
}
