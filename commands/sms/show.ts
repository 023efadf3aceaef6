/** `kashbox sms show` */
import { showSms, smsSheet } from '../../src/actions/sms/list-sms.js';
import { visible } from '../../src/base/values/cells.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default bulkCommand({
  summary: 'Show SMS with their parsing result.',
  examples: ['$ sms_0123456789abcdef01234567', 'kashbox sms list --unparsed --ndjson | $ - --json'],
  args: { sms: many('IDs of SMS') },
  one: ({ core }, named) => showSms(core, named),
  lines: (sms) => [
    ...formatKeyValues(smsSheet(sms)),
    '',
    ...sms.body.split('\n').map((line) => `  ${visible(line)}`),
  ],
});
