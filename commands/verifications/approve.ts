/** `kashbox verifications approve` */
import { boolean, option } from '@oclif/core/flags';
import { approvePayment, approveReview } from '../../src/actions/reviews/decide-review.js';
import { findReviewId, type ReviewInFull, showReview } from '../../src/actions/reviews/list-reviews.js';
import { isKashboxError } from '../../src/base/errors/errors.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { visible } from '../../src/base/values/cells.js';
import type { BaseCommand } from '../../src/cli/command/base-command.js';
import { command } from '../../src/cli/command/define.js';
import { ndjsonFlag, noteFlag, text, verificationIds } from '../../src/cli/command/flags.js';
import { confirm, isTerminal } from '../../src/cli/input/ask.js';
import { approvedLines } from '../../src/cli/text/review-text.js';
import { PAY_CHANNELS } from '../../src/domain/accounts/channels.js';

export default command({
  summary: 'Approve verifications and complete their payments.',
  description:
    'An approved payment stays completed, and its transaction ID never pays another one. With --channel you ' +
    'complete any payment, also a failed one, with money that you found yourself. If a warning speaks against the ' +
    'money (a reversal, a forged SMS, another payment reference), a terminal asks you; scripts need --force, or ' +
    '--facts with the version that "verifications show" prints. Exit code 4: a warning, changed facts, an earlier ' +
    'decision, or money that is used or too little.',
  examples: [
    '$ rev_0123456789abcdef01234567 --note "seen in the bank app at 14:05"',
    '$ rev_0123456789abcdef01234567 --note "typed 7 for 1" --reference FT26082171',
    '$ K7Q2M9XW4TZB --channel qr_interbank --reference 632112345678 --note "the customer showed the slip"',
    '$ K7Q2M9XW4TZB --channel mfs_a --reference DHL7KQ2P0Z --accept-less --note "10 taka are fine"',
    '$ rev_0123456789abcdef01234567 --facts 3f0c9a2b7d51 --note "seen in the app"',
    'kashbox verifications list --brand Eid --ndjson | $ - --note "statement of today"',
  ],
  ofPayments: true,
  args: { verifications: verificationIds },
  flags: {
    note: noteFlag,
    reference: text('REFERENCE', "Transaction ID in your account, or the bank's reference, if it differs."),
    channel: option({
      options: PAY_CHANNELS,
      description: 'Channel on which you found the money.',
      dependsOn: ['reference'],
    })(),
    'accept-less': boolean({
      description: 'Accept a lower amount; the amount received is recorded.',
    }),
    facts: text('VERSION', 'Approve only this version of the facts, printed by "verifications show".', {
      exclusive: ['channel'],
    }),
    force: boolean({ description: 'Approve despite warnings.' }),
    ndjson: ndjsonFlag,
  },
  async run({ cli, args, flags }) {
    const { note, reference, channel: method, acceptLess, facts } = flags;
    const ids = [args.verifications].flat();
    const isAlone = ids.length === 1 && ids[0] !== '-';
    if (facts !== undefined && !isAlone)
      refuse('facts belong to one verification', 'Approve that one by itself.');
    if (reference !== undefined && !isAlone) {
      refuse('reference belongs to one verification', 'Approve that one by itself.');
    }
    const core = await cli.core();
    const { who } = cli;
    // Behind a dash nobody can be asked: stdin is the list.
    const isAsking = isAlone && isTerminal() && !flags.force;
    const approve = async (named: string) => {
      const how = { note, acceptLess, force: flags.force, who };
      if (method === undefined || reference === undefined) {
        const id = await findReviewId(core, named);
        const shown =
          isAsking && facts === undefined ? await shownTo(cli, await showReview(core, id)) : facts;
        return approveReview(core, { id, reference, facts: shown, ...how });
      }
      const given = { payment: named, method, reference, ...how };
      return approvePayment(core, given).catch(async (error: unknown) => {
        if (!isAsking || !isKashboxError(error, 'warning_unconfirmed')) throw error;
        cli.note(error.message);
        await agree();
        return approvePayment(core, { ...given, force: true });
      });
    };
    await cli.each(ids, flags, approve, approvedLines);
  },
});

/** Prints the facts; confirms warnings. @returns their version; undefined if the review is not open. */
async function shownTo(cli: BaseCommand, { facts, facts_version, state }: ReviewInFull) {
  if (state !== 'OPEN') return undefined;
  for (const { level, text } of facts) cli.note(visible(level === 'info' ? text : `WARNING: ${text}`));
  if (facts.some(({ level }) => level === 'warning')) await agree();
  return facts_version;
}

async function agree(): Promise<void> {
  await confirm('Approve it all the same?', 'Give --force.');
}
