/** A customer's slip as a file that only the operator can read, or as bytes into a pipe. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Slip } from '../../actions/reviews/list-reviews.js';
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { SLIP_ENDING } from '../../domain/reviews/slip.js';

/** Endings that people give a kind of file beside the one that we would. */
const OTHER_ENDINGS: Readonly<Record<string, string>> = { jpeg: 'jpg' };

/**
 * @param overwrite whether a file that is there may be replaced.
 * @returns what to tell the operator.
 * @throws KashboxError `already_exists`, `invalid_input`
 */
export function saveSlip(slip: Slip, file: string, review: string, overwrite: boolean): string {
  const ending = SLIP_ENDING[slip.mediaType];
  const named = `slip-${review}.${ending}`;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    refuse(`${file} is a folder`, `Name a file in it: --slip ${join(file, named)}`);
  }
  try {
    // Removed first, so that neither its permissions nor a link of that name stays.
    if (overwrite) rmSync(file, { force: true });
    writeFileSync(file, slip.bytes, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    unwritable(file, error);
  }
  const given = extname(file).slice(1).toLowerCase();
  const fits = (OTHER_ENDINGS[given] ?? given) === ending;
  return fits ? `The slip is in ${file}.` : `The slip is in ${file}; it is a .${ending} file.`;
}

function unwritable(file: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EEXIST') {
    throw new KashboxError('already_exists', {
      message: `${file} is there already`,
      hint: 'Choose another name, or replace it with --force.',
    });
  }
  refuse(
    `${file} cannot be written (${code})`,
    'Choose a folder that exists and that you may write to.',
    error,
  );
}

/** @throws KashboxError `invalid_input` at a terminal, which bytes would only upset. */
export function pipeSlip(slip: Slip, output: NodeJS.WriteStream): void {
  if (output.isTTY) {
    refuse(
      'A slip is a picture or a PDF, which a terminal cannot show',
      `Name a file: --slip slip.${SLIP_ENDING[slip.mediaType]}, or pipe it on.`,
    );
  }
  output.write(slip.bytes);
}
