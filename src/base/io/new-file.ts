/**
 * Creates a file that gets its name only when complete and synced: it is written under a temporary name, then
 * renamed. Replaces an existing file only on request. Knows nothing of the content.
 */
import { existsSync, linkSync, lstatSync, renameSync, rmSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isKashboxError, KashboxError } from '../errors/errors.js';
import { refuse } from '../errors/refuse.js';
import type { RandomSource } from '../values/ids.js';
import { syncFolder } from './durable-file.js';

const PRIVATE = 0o600;

export interface NewFile {
  readonly file: string;
  /** True if an existing file may be replaced. */
  readonly isOverwriting: boolean;
  readonly random: RandomSource;
  /** Ends the writing. */
  readonly signal?: AbortSignal;
  /** Called with the number of bytes written so far; the total is not known. */
  onBytes?(done: number, total: null): void;
}

/**
 * Writes text or bytes into a file that only its owner can read. Leaves no file after a failure.
 * @param texts may throw, which ends the writing.
 * @returns size of the file in bytes.
 * @throws KashboxError `already_exists`, `invalid_input`, `store_full`, and what `texts` throws
 */
export async function writeNewFile(
  { file, isOverwriting, random, signal, onBytes }: NewFile,
  texts: AsyncIterable<string | Uint8Array>,
): Promise<number> {
  const path = resolve(file);
  refusePlace(path, isOverwriting);
  const draft = temporaryPath(path, random);
  try {
    const bytes = await writeDraft(draft, texts, (done) => {
      signal?.throwIfAborted();
      onBytes?.(done, null);
    });
    publish(draft, path, isOverwriting);
    return bytes;
  } catch (error) {
    throw placeFailure(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

async function writeDraft(
  draft: string,
  texts: AsyncIterable<string | Uint8Array>,
  onBytes: (done: number) => void,
): Promise<number> {
  const handle = await open(draft, 'wx', PRIVATE);
  let bytes = 0;
  try {
    for await (const text of texts) {
      const chunk = typeof text === 'string' ? Buffer.from(text) : text;
      await handle.appendFile(chunk);
      bytes += chunk.length;
      onBytes(bytes);
    }
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Returns the temporary name of a file that is not complete yet. */
export function temporaryPath(file: string, random: RandomSource): string {
  return `${file}.part-${Buffer.from(random(6)).toString('hex')}`;
}

/**
 * Looks whether a file may be made there, before any work is done for it.
 * @throws KashboxError `already_exists`, `invalid_input`
 */
export function refusePlace(path: string, isOverwriting: boolean): void {
  const present = presentAt(path);
  if (present === undefined) {
    if (existsSync(dirname(path))) return;
    refuse(`There is no folder ${dirname(path)}`, 'Make it, or name another.');
  }
  if (present.isDirectory()) refuse(`${path} is a folder`, 'Name a file in it.');
  if (!isOverwriting) refuseExisting(path);
  if (present.isFile() || present.isSymbolicLink()) return;
  refuse(`${path} is no file that could be replaced`, 'Name another file.');
}

function presentAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw placeFailure(path, error);
  }
}

/** Gives the draft its name. @throws KashboxError `already_exists` */
export function publish(draft: string, file: string, isOverwriting: boolean): void {
  if (isOverwriting) renameSync(draft, file);
  else linkInto(draft, file);
  syncFolder(dirname(file));
}

function linkInto(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // Memory sticks know no links; there a moment stays in which another program may make the file.
    if (presentAt(file) !== undefined) refuseExisting(file);
    if (!existsSync(draft)) throw error;
    renameSync(draft, file);
    return;
  }
  rmSync(draft);
}

function refuseExisting(file: string): never {
  throw new KashboxError('already_exists', {
    message: `${file} already exists`,
    hint: 'Choose another name, or replace it with --force.',
  });
}

/** Maps a system error about the target path to an error that the operator can act on. */
export function placeFailure(path: string, error: unknown): unknown {
  if (isKashboxError(error) || !(error instanceof Error && 'syscall' in error && 'code' in error))
    return error;
  const code = String(error.code);
  if (code === 'ENOSPC' || code === 'EDQUOT') return noRoom(path, error);
  return new KashboxError('invalid_input', {
    message: `${path} cannot be written (${code})`,
    hint: 'Choose an existing folder that you can write to.',
    cause: error,
  });
}

/** @param path of the file for which there is no space */
export function noRoom(path: string, cause: unknown): KashboxError {
  return new KashboxError('store_full', {
    message: `Not enough disk space in ${dirname(path)}`,
    hint: 'Free some space, or use another disk. No partial file was left.',
    cause,
  });
}
