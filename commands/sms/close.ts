/** `kashbox sms close` */
import { option } from '@oclif/core/flags';
import { closeSms } from '../../src/actions/sms/close-sms.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many, noteFlag } from '../../src/cli/command/flags.js';

export default bulkCommand({
  summary: 'Mark SMS money as not a payment.',
  description:
    'For money that you returned, that is your own, or that is not a payment. It no longer counts as ' +
    'unclaimed. A claim of it needs your review and cannot be approved before "kashbox sms reopen". ' +
    'To send money back, use "kashbox refunds create". A transfer from your account without a refund needs ' +
    '--as own or --as other. The audit log records who closed it, and your note. Exit code 4: it has paid a ' +
    'payment, has an open verification, has completed a refund, or is already closed.',
  examples: [
    '$ DKQ4TW1CE2 --as returned --note "Paid twice; returned in cash"',
    '$ DKQ4TW1CE3 --as own --note "Salary"',
    'kashbox sms list --unmatched --search 01711000099 --ndjson | $ - --note "My own number"',
  ],
  args: { sms: many('IDs or transaction IDs of SMS') },
  flags: {
    note: noteFlag,
    as: option({
      options: ['returned', 'own', 'other'] as const,
      description: 'Kind of the money: sent back, your own, or another.',
    })(),
  },
  one: ({ core, who, flags: { note, as } }, id) => closeSms(core, { id, note, as, who }),
  lines: ({ id, references }) => [`The money ${references.join(', ')} of SMS ${id} is closed.`],
});
