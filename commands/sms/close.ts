/** `kashbox sms close` */
import { closeSms } from '../../src/actions/sms/close-sms.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many, noteFlag } from '../../src/cli/command/flags.js';

export default bulkCommand({
  summary: 'Mark SMS money as not a payment.',
  description:
    'For money that you returned, that is your own, or that is not a payment. It no longer counts as ' +
    'unclaimed. A claim of it needs your review and cannot be approved before "kashbox sms reopen". ' +
    'Return the money in the wallet app: this command moves no money. The audit log records who closed ' +
    'it, and your note. Exit code 4: it has paid a payment, has an open verification, or is already ' +
    'closed.',
  examples: [
    '$ DKQ4TW1CE2 --note "Paid twice; sent back on Monday"',
    'kashbox sms list --unmatched --search 01711000099 --ndjson | $ - --note "My own number"',
  ],
  args: { sms: many('IDs of SMS') },
  flags: { note: noteFlag },
  one: ({ core, who, flags: { note } }, id) => closeSms(core, { id, note, who }),
  lines: ({ id, references }) => [`The money ${references.join(', ')} of SMS ${id} is closed.`],
});
