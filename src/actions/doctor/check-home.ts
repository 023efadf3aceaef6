/** Checks the home folder before anything opens or repairs it. */

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../base/values/say.js';
import { type Finding, fail, ok, warn } from './check.js';

const MIB = 1_048_576;
const LITTLE_MIB = 1_024;
const TOO_LITTLE_MIB = 100;

/** @param folder path of the home folder. */
export function checkHome(folder: string): Finding[] {
  if (!existsSync(folder)) {
    return [
      warn('home', say`${folder} is not there yet`, say`It is made by the first command: kashbox setup`),
    ];
  }
  return [checkFolder(folder), ...checkKeyFile(join(folder, 'secret.key')), checkDisk(folder)];
}

/** Permission bits that let others in; Windows has none of them. */
function openBits(path: string): number {
  return process.platform === 'win32' ? 0 : statSync(path).mode & 0o077;
}

function checkFolder(folder: string): Finding {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail('home', say`${folder} cannot be read or written`, say`Run as the user who owns it.`);
  }
  const bits = openBits(folder);
  if (bits === 0) return ok('home', folder);
  // Who may write there can put another store or key into its place.
  if ((bits & 0o022) !== 0) {
    return fail('home', say`${folder} can be changed by other users of this machine`, `chmod 700 ${folder}`);
  }
  return warn('home', say`${folder} is open to other users of this machine`, `chmod 700 ${folder}`);
}

function checkKeyFile(file: string): Finding[] {
  if (!existsSync(file)) return [];
  if (openBits(file) === 0) return [ok('key file', say`only its owner can read it`)];
  return [fail('key file', say`${file} can be read by other users of this machine`, `chmod 600 ${file}`)];
}

/**
 * The files of the embedded store, after it was opened, which makes them private where that is possible.
 * @returns nothing where all is well.
 */
export function checkStoreFiles(file: string): Finding[] {
  const paths = ['', '-wal', '-shm', '-journal'].map((end) => `${file}${end}`);
  const open = paths.filter((path) => existsSync(path) && openBits(path) !== 0);
  if (open.length === 0) return [];
  const message = say`${open.join(', ')} can be read by other users: names, numbers and SMS of customers`;
  return [fail('store files', message, say`As their owner: chmod 600 ${open.join(' ')}`)];
}

function checkDisk(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / MIB);
  const message = say`${free} MiB free`;
  const remedy = say`Free some space: without it no payment can be written.`;
  if (free < TOO_LITTLE_MIB) return fail('disk', message, remedy);
  return free < LITTLE_MIB ? warn('disk', message, remedy) : ok('disk', message);
}
