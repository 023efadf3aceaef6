/** `kashbox verifications show` */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { boolean } from '@oclif/core/flags';
import { findReviewId, loadSlip, type Slip, showReview } from '../../src/actions/reviews/list-reviews.js';
import { KashboxError } from '../../src/base/errors/errors.js';
import { refuse } from '../../src/base/errors/refuse.js';
import type { BaseCommand } from '../../src/cli/command/base-command.js';
import { command } from '../../src/cli/command/define.js';
import { ndjsonFlag, text, verificationIds } from '../../src/cli/command/flags.js';
import { reviewSheet } from '../../src/cli/text/review-text.js';
import { SLIP_ENDING } from '../../src/domain/reviews/slip.js';

export default command({
  summary: 'Show a verification with its evidence.',
  description:
    'With --slip it also saves the picture or PDF that the customer uploaded, in a file that only you can ' +
    'read.',
  examples: [
    '$ rev_0123456789abcdef01234567',
    '$ rev_0123456789abcdef01234567 --slip slip.jpg',
    'kashbox verifications list --ndjson | $ - --json',
  ],
  ofPayments: true,
  args: { verifications: verificationIds },
  flags: {
    slip: text('FILE', 'Save the slip to this file; "-" writes only the slip to stdout.'),
    force: boolean({ description: 'Overwrite an existing file.', dependsOn: ['slip'] }),
    ndjson: ndjsonFlag,
  },
  async run({ cli, args, flags }) {
    const ids = [args.verifications].flat();
    if (flags.slip !== undefined && !(await gotSlip(cli, ids, flags.slip, flags.force))) return;
    const core = await cli.core();
    const lines = (view: Awaited<ReturnType<typeof showReview>>) => reviewSheet(view, core.clock.now());
    await cli.each(ids, flags, async (named) => showReview(core, await findReviewId(core, named)), lines);
  },
});

/** @returns false where the slip is all that may be printed. */
async function gotSlip(
  cli: BaseCommand,
  ids: readonly string[],
  file: string,
  overwrite: boolean,
): Promise<boolean> {
  const [named = '', ...others] = ids;
  if (named === '-' || others.length > 0) {
    refuse('slip takes one verification at a time', 'Name one id, and a file for its slip.');
  }
  const core = await cli.core();
  const id = await findReviewId(core, await cli.wholeId(named));
  const slip = await loadSlip(core, id);
  if (file === '-') {
    pipeSlip(slip, process.stdout);
    return false;
  }
  cli.note(saveSlip(slip, file, id, overwrite));
  return true;
}

/** Common file extensions that are equivalent to ours. */
const OTHER_ENDINGS: Readonly<Record<string, string>> = { jpeg: 'jpg' };

/**
 * @param overwrite true if an existing file may be replaced.
 * @returns the message for the operator.
 * @throws KashboxError `already_exists`, `invalid_input`
 */
function saveSlip(slip: Slip, file: string, review: string, overwrite: boolean): string {
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
      message: `${file} already exists`,
      hint: 'Choose another name, or replace it with --force.',
    });
  }
  refuse(`${file} cannot be written (${code})`, 'Choose an existing folder that you can write to.', error);
}

/** @throws KashboxError `invalid_input` at a terminal, which bytes would only upset. */
function pipeSlip(slip: Slip, output: NodeJS.WriteStream): void {
  if (output.isTTY) {
    refuse(
      'A slip is a picture or a PDF, which a terminal cannot show',
      `Name a file: --slip slip.${SLIP_ENDING[slip.mediaType]}, or pipe it on.`,
    );
  }
  output.write(slip.bytes);
}
