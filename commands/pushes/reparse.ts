/** `kashbox pushes reparse` */
import { type ReparsedPushes, reparsePushes } from '../../src/actions/pushes/reparse-pushes.js';
import { visible } from '../../src/base/values/cells.js';
import { command } from '../../src/cli/command/define.js';
import { text } from '../../src/cli/command/flags.js';

export default command({
  summary: 'Parse stored bank notifications again.',
  description:
    'After "kashbox acquirers update" has mended a map, pushes that could not be read, or whose status was not ' +
    'known for a payment that is made, may turn out to be money and settle payments that wait for it. What has ' +
    'counted once is never taken back, and no reference counts twice.',
  doing: 'Reading',
  examples: ['$', '$ --acquirer city-bank --json'],
  flags: {
    acquirer: text('ACQUIRER', 'Only of this acquirer: identifier or name. Revoked ones are left alone.', {
      kind: 'id',
    }),
  },
  async run({ cli, flags }) {
    const { acquirer } = flags;
    const result = await reparsePushes(await cli.core(), { acquirer, who: cli.who });
    cli.show(result, flags, (one) => lines(one).map(visible));
  },
});

function lines({ read, paid, repeated, contradicted, settled, reviewed, left }: ReparsedPushes): string[] {
  return [
    `${read} pushes read, ${paid} of them turned out to be money.`,
    ...settled.map((id) => `Payment ${id} is completed by it.`),
    ...reviewed.map((id) => `Payment ${id} waits for your decision: kashbox verifications list`),
    ...(repeated > 0 ? [`${repeated} say no more than another push of the same reference.`] : []),
    ...(contradicted > 0
      ? [`${contradicted} say otherwise of money that has moved: kashbox pushes list --unread`]
      : []),
    ...left.map(({ why, count }) => `${count} are no money still: ${why}.`),
  ];
}
