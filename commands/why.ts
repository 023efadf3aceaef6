/** `kashbox why` */
import { explainWhy } from '../src/actions/why/explain.js';
import { DAY_MS } from '../src/base/values/clock.js';
import { command } from '../src/cli/command/define.js';
import { oneWord, text } from '../src/cli/command/flags.js';
import { momentMs } from '../src/cli/input/time.js';
import { whyLines, whyView } from '../src/cli/text/why-text.js';

const DAYS = 30;

export default command({
  summary: 'Explain why a payment was not credited.',
  description:
    'Give what you know: the transaction ID from the customer, the amount, the number that paid, or the ' +
    'payment. It searches claims, SMS, bank notifications, balance gaps, phones and verifications, and ' +
    'ends with the command to type. It finds mistyped IDs, too. Nothing is changed. Payments and exact ' +
    'IDs are found at any age; amounts, payers, mistyped IDs and IDs mentioned only in a text are ' +
    'searched in the newest 20,000 SMS.',
  doing: 'Looking',
  examples: ['$ DKM4ABC123', '$ 410', '$ 01711000001 --since 7d', '$ K7Q2M9XW4TZB --json'],
  args: {
    question: oneWord('A transaction id, an amount in taka, a phone number, or a payment.'),
  },
  flags: {
    since: text('WHEN', `Search back to: 2h, 7d, 2026-08-21 (default: ${DAYS} days).`),
  },
  async run({ cli, args, flags }) {
    const core = await cli.core();
    const now = core.clock.now();
    const sinceMs = flags.since === undefined ? now - DAYS * DAY_MS : momentMs('since', flags.since, now);
    // An amount or a phone number may be the beginning of some identifier by chance.
    const isNumber = /^[\p{Nd}.,+\s-]*$/u.test(args.question);
    const asked = isNumber ? args.question : await cli.wholeId(args.question, true);
    const why = await explainWhy(core, { asked, sinceMs });
    cli.show(whyView(why, now), flags, whyLines);
  },
});
