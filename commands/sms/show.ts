/** `kashbox sms show` */
import { showSms, smsSheet } from '../../src/actions/sms/list-sms.js';
import { visible } from '../../src/base/values/cells.js';
import { each } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { sheet } from '../../src/cli/text/table.js';

export default each({
  summary: 'Show SMS with their parsing result.',
  examples: ['$ sms_0123456789abcdef01234567', 'kashbox sms list --unparsed --ndjson | $ - --json'],
  args: { sms: many('IDs of SMS') },
  one: ({ core }, named) => showSms(core, named),
  lines: (sms) => [...sheet(smsSheet(sms)), '', ...sms.body.split('\n').map((line) => `  ${visible(line)}`)],
});
