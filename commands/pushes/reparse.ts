/** `kashbox pushes reparse` */
import { type ReparsedPushes, reparsePushes } from '../../src/actions/pushes/reparse-pushes.js';
import { visible } from '../../src/base/values/cells.js';
import { command } from '../../src/cli/command/define.js';
import { text } from '../../src/cli/command/flags.js';

export default command({
  summary: 'Parse stored bank notifications again.',
  description:
    'After "kashbox acquirers update" corrected a field map, notifications that could not be parsed or ' +
    'whose status was unknown may prove to be payments and settle open ones. Money that was credited is ' +
    'never taken back, and no reference is credited twice.',
  doing: 'Reading',
  examples: ['$', '$ --acquirer city-bank --json'],
  flags: {
    acquirer: text(
      'ACQUIRER',
      'Only notifications of this acquirer (ID or name); revoked ones are skipped.',
      {
        kind: 'id',
      },
    ),
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
    ...(contradicted > 0 ? [`${contradicted} contradict credited money: kashbox pushes list --unread`] : []),
    ...left.map(({ why, count }) => `${count} still do not count as money: ${why}.`),
  ];
}
