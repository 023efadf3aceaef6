/** `kashbox keys revoke` */
import { keySheet, revokeKey } from '../../src/actions/keys/keys.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default bulkCommand({
  summary: 'Revoke Brand Keys immediately.',
  description:
    'They are refused from the next request on. If you revoke the last key of a brand, "kashbox keys ' +
    'rotate" creates a new one.',
  examples: ['$ key_0123456789abcdef01234567', 'kashbox keys list --brand "Amar Dokan" --ndjson | $ -'],
  args: { keys: many('IDs or names of keys') },
  one: ({ core, who }, id) => revokeKey(core, { id, who }),
  lines: (view) => formatKeyValues(keySheet(view)),
});
