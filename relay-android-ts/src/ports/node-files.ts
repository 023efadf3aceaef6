/** Files that survive a crash: every function here returns after the disk has confirmed. */
import { constants, watch } from 'node:fs';
import {
  chmod,
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readFile,
  rename,
  stat,
  truncate,
} from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DurableFile } from '../core/ports.js';

const PRIVATE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** A rename or a new name is only on the disk when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a folder and its missing parents, by default accessible only to the owner. Does not use `recursive:
 * true`, which loops for ever on file systems that answer every new name with "no such file" (/proc, an
 * automounter).
 * @throws the system's error if it cannot be created
 */
export async function makeFolder(folder: string, mode = PRIVATE_FOLDER): Promise<void> {
  const path = resolve(folder);
  if (await isThere(path)) return;
  const above = dirname(path);
  await makeFolder(above, mode);
  await mkdir(path, PRIVATE_FOLDER).catch(async (error: unknown) => {
    // Made meanwhile by another process that starts too.
    if (!(await isThere(path))) throw error;
  });
  // The umask of this program would take rights away.
  if (mode !== PRIVATE_FOLDER) await chmod(path, mode);
  await syncFolder(above);
}

async function isThere(path: string): Promise<boolean> {
  return (await ifExists(stat(path)))?.isDirectory() === true;
}

/** @returns the result of a file operation; undefined if the file does not exist */
export async function ifExists<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Puts `bytes` at `path` in one step: readers and crashes see the old content or the new one. */
export async function writeFileDurably(
  path: string,
  bytes: Uint8Array | string,
  mode = PRIVATE,
): Promise<void> {
  const fresh = `${path}.new`;
  const handle = await open(fresh, 'w', PRIVATE);
  try {
    await handle.writeFile(bytes);
    if (mode !== PRIVATE) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, path);
  await syncFolder(dirname(path));
}

export function readIfExists(path: string): Promise<Buffer | undefined> {
  return ifExists(readFile(path));
}

export function readTextIfExists(path: string): Promise<string | undefined> {
  return ifExists(readFile(path, 'utf8'));
}

/**
 * Calls `changed` with the name of each file that is created, deleted or changed in a folder. Not every file
 * system reports this, so the folder must be polled too. Never throws.
 * @returns a function that stops the watch
 */
export function watchFolder(folder: string, changed: (name: string) => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => changed(name ?? ''));
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

export class NodeDurableFile implements DurableFile {
  private handle: FileHandle | undefined;

  constructor(private readonly path: string) {}

  async read(): Promise<Uint8Array> {
    return (await readIfExists(this.path)) ?? new Uint8Array();
  }

  async append(bytes: Uint8Array): Promise<void> {
    const handle = await this.open();
    await handle.appendFile(bytes);
    // The size is what makes appended bytes findable, and fdatasync writes it along.
    await handle.datasync();
  }

  async truncate(size: number): Promise<void> {
    await this.release();
    await truncate(this.path, size);
    await (await this.open()).sync();
  }

  async replace(bytes: Uint8Array): Promise<void> {
    await this.release();
    await writeFileDurably(this.path, bytes);
  }

  async setAside(): Promise<string> {
    const copy = `${this.path}.damaged-${new Date().toISOString().replace(/[:.]/g, '')}`;
    await copyFile(this.path, copy, constants.COPYFILE_EXCL);
    await syncFolder(dirname(copy));
    return copy;
  }

  async close(): Promise<void> {
    await this.release();
  }

  private async open(): Promise<FileHandle> {
    if (this.handle === undefined) {
      this.handle = await open(this.path, 'a', PRIVATE);
      await syncFolder(dirname(this.path));
    }
    return this.handle;
  }

  private async release(): Promise<void> {
    const handle = this.handle;
    this.handle = undefined;
    await handle?.close();
  }
}
