/** `kashbox sms reparse` */
import { reparseSms } from '../../src/actions/sms/reparse-sms.js';
import { command } from '../../src/cli/command/define.js';

export default command({
  summary: 'Parse stored SMS again.',
  description:
    'After a format was added, texts that could not be read may turn out to be money and settle payments that wait ' +
    'for it. What has counted once is never taken back.',
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
