/** `kashbox payments tail` */
import { integer } from '@oclif/core/flags';
import { followPayments, type paymentChangeView } from '../../src/actions/sessions/follow-payments.js';
import { pad, visible } from '../../src/base/values/cells.js';
import { command } from '../../src/cli/command/define.js';
import { brandFlag, ndjsonFlag, text } from '../../src/cli/command/flags.js';
import { momentMs } from '../../src/cli/input/time.js';

const EVERY_MS = 1_000;

export default command({
  summary: 'Follow payments as their status changes.',
  description:
    'Polls the store once a second, so it sees the payments of all daemons. --json prints one value at ' +
    'the end; --ndjson prints one line per change. When the reader of a pipe closes, the command ends ' +
    'with the next payment.',
  examples: ['$', '$ --brand "Amar Dokan" --since 1h', '$ --ndjson | grep \'"completed"\''],
  flags: {
    brand: brandFlag,
    since: text('WHEN', 'Start with changes since then: 10m, 2h (default: now).'),
    count: integer({ helpValue: 'COUNT', description: 'Exit after this number of payments.', min: 1 }),
    ndjson: ndjsonFlag,
  },
  async run({ cli, flags }) {
    const core = await cli.core();
    const now = core.clock.now();
    const sinceMs = flags.since === undefined ? now : momentMs('since', flags.since, now);
    const ending = new AbortController();
    const end = () => ending.abort();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
    // Whoever reads the pipe has gone.
    process.stdout.once('close', end);
    const all: unknown[] = [];
    let count = 0;
    const follow = { brand: flags.brand, sinceMs, everyMs: EVERY_MS, signal: ending.signal };
    for await (const happened of followPayments(core, follow)) {
      count += 1;
      if (flags.json) all.push(happened);
      else cli.show(happened, flags, () => [happenedLine(happened)]);
      if (count === flags.count) end();
    }
    if (flags.json) cli.show(all, flags, () => []);
  },
});

/** The longest event. */
const EVENT_WIDTH = 'completed'.length;
const AMOUNT_WIDTH = 12;

function happenedLine({ at, event, payment }: ReturnType<typeof paymentChangeView>): string {
  const by = [payment.channel, payment.transaction_id].filter((part) => part !== null).join(' ');
  const parts = [
    at.slice(11, 19),
    pad(event, EVENT_WIDTH, undefined),
    payment.gateway_reference,
    pad(payment.amount, AMOUNT_WIDTH, 'right'),
    payment.brand,
    payment.cus_name,
    by,
  ];
  return visible(parts.filter((part) => part !== '').join('  '));
}
