/** `kashbox sms show` */
import { each } from '../../src/cli/command/define.js';
import { manySms } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Show SMS word for word, as what each was read, and what became of it.',
  examples: ['$ sms_0123456789abcdef01234567', 'kashbox sms list --unparsed --ndjson | $ - --json'],
  args: { sms: manySms() },
  async work({ core }) {
    const { showSms } = await import('../../src/actions/sms/list-sms.js');
    const { smsSheet } = await import('../../src/cli/text/sms-sheet.js');
    return { one: (named) => showSms(core, named), lines: smsSheet };
  },
});
