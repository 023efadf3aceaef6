/**
 * Files and folders that must survive a power cut. Without an fsync a new file may be empty after it, and a
 * new name may be missing. Knows nothing of the content.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Number of bytes after which a large file is synced, so that commits of a store on the same disk wait for no
 * more than this.
 */
export const SYNC_BYTES = 4 * 1_048_576;

/** Writes a file and waits for the disk. Its name is on the disk only after `syncFolder`. */
export function writeDurably(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode, flush: true });
}

/** Syncs a file to the disk, including writes of other processes. */
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
 * Creates a folder and its missing parents; existing folders stay unchanged. `recursive: true` is not used:
 * if a file system answers "no such file" to every new name (/proc, an automounter), it loops forever.
 * @param mode of each folder that is created.
 * @throws the system's error if it cannot be created, or if a file is in the way.
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
