/**
 * Files and folders that must still be there after a power cut. Without an fsync a new file may come back
 * empty, and a new name not at all. Knows nothing of what is written.
 */
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/** Writes a file and waits for the disk. Its name is on the disk only after `syncFolder`. */
export function writeDurably(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode, flush: true });
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
