/**
 * Where tests keep their stores, homes and profiles. In memory where there is room: thousands of stores are
 * made and removed, which took half of a run on a disk. That nothing is lost when the power goes is tested on
 * a disk of our own making (test/fixtures/disk.c).
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const WANTED_BYTES = 4 * 1024 ** 3;

function hasRoom() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= WANTED_BYTES;
}

/** @returns {string} a new folder, open for other users: PostgreSQL does not run as root */
export function makeScratch() {
  const folder = mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), 'kashbox-'));
  chmodSync(folder, 0o1777);
  return folder;
}

export const removeScratch = (folder) => rmSync(folder, { recursive: true, force: true });
