/**
 * Files and folders that must still be there after a power cut. Without an fsync a new file may come back
 * empty, and a new name not at all. Knows nothing of what is written.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * After so many bytes a large file is brought onto the disk, so that commits of a store there wait for no
 * more than this.
 */
export const SYNC_BYTES = 4 * 1_048_576;

/** Writes a file and waits for the disk. Its name is on the disk only after `syncFolder`. */
export function writeDurably(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode, flush: true });
}

/** Waits until what was written to a file, by whomever, is on the disk. */
export function syncFile(path: string): void {
  const handle = openSync(path, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Waits until the names in a folder (made, moved, removed) are on the disk. */
export function syncFolder(folder: string): void {
  // Windows cannot open a folder, and writes names through by itself.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Makes a folder with all that is missing above it; what is there stays as it is. Not `recursive: true`:
 * where a file system says "no such file" to every new name (/proc, an automounter), that one asks for ever.
 * @param mode of each folder that is made.
 * @throws the system's error if it cannot be made, or if a file is in the way.
 */
export function makeFolder(folder: string, mode: number): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) makeOne(path, mode);
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
  const [first] = missing;
  if (first !== undefined) syncFolder(dirname(first));
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Made meanwhile by another process that starts too.
    if (!existsSync(path)) throw error;
  }
}
