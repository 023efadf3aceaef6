/** Files that survive a crash: every function here returns after the disk has confirmed. */
import { constants } from 'node:fs';
import { copyFile, type FileHandle, open, readFile, rename, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DurableFile } from '../core/ports.js';

const PRIVATE = 0o600;

/** A rename or a new name is only on the disk when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts `bytes` at `path` in one step: readers and crashes see the old content or the new one. */
export async function writeFileDurably(path: string, bytes: Uint8Array | string): Promise<void> {
  const fresh = `${path}.new`;
  const handle = await open(fresh, 'w', PRIVATE);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, path);
  await syncFolder(dirname(path));
}

/** The content of a file, or undefined if there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

export class NodeDurableFile implements DurableFile {
  readonly #path: string;
  #handle: FileHandle | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<Uint8Array> {
    return (await readIfThere(this.#path)) ?? new Uint8Array();
  }

  async append(bytes: Uint8Array): Promise<void> {
    const handle = await this.#open();
    await handle.appendFile(bytes);
    // The size is what makes appended bytes findable, and fdatasync writes it along.
    await handle.datasync();
  }

  async truncate(size: number): Promise<void> {
    await this.#release();
    await truncate(this.#path, size);
    await (await this.#open()).sync();
  }

  async replace(bytes: Uint8Array): Promise<void> {
    await this.#release();
    await writeFileDurably(this.#path, bytes);
  }

  async setAside(): Promise<string> {
    const copy = `${this.#path}.damaged-${new Date().toISOString().replace(/[:.]/g, '')}`;
    await copyFile(this.#path, copy, constants.COPYFILE_EXCL);
    await syncFolder(dirname(copy));
    return copy;
  }

  async close(): Promise<void> {
    await this.#release();
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle === undefined) {
      this.#handle = await open(this.#path, 'a', PRIVATE);
      await syncFolder(dirname(this.#path));
    }
    return this.#handle;
  }

  async #release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}
