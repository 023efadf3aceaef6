/** `kashbox sms reparse` */
import { reparseSms } from '../../src/actions/sms/reparse-sms.js';
import { command } from '../../src/cli/command/define.js';

export default command({
  summary: 'Parse stored SMS again.',
  description:
    'After you added a format, texts that could not be parsed may prove to be payments and settle open ' +
    'ones. Money that was credited is never taken back.',
  doing: 'Reading',
  examples: ['$'],
  async run({ cli, flags }) {
    const result = await reparseSms(await cli.core(), { who: cli.who });
    cli.show(result, flags, ({ read, changed, settled }) => [
      `${read} SMS read, ${changed} of them differently than before.`,
      ...settled.map((id) => `Payment ${id} is completed by it.`),
    ]);
  },
});
