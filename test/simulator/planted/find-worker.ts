/**
 * Looks for planted faults in copies of the program, one after the other: packages are loaded once, and each
 * copy loads as a program of its own. It gets the file of a copy's find-one.js and
 * the seed to begin with, and answers what was found.
 */
import { pathToFileURL } from 'node:url';
import type { findOne } from './find-one.js';

export interface Wanted {
  readonly file: string;
  readonly first: number;
}

process.on('message', async ({ file, first }: Wanted) => {
  const copy = (await import(pathToFileURL(file).href)) as { findOne: typeof findOne };
  process.send?.(await copy.findOne(first));
});
