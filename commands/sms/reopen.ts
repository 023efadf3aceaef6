/** `kashbox sms reopen` */
import { reopenSms } from '../../src/actions/sms/close-sms.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many, noteFlag } from '../../src/cli/command/flags.js';

export default bulkCommand({
  summary: 'Undo sms close.',
  description:
    'Claims that came in the meantime are listed by "kashbox verifications list". The audit log records ' +
    'who reopened it, and your note. Exit code 4: it is not closed.',
  examples: ['$ DKQ4TW1CE2 --note "It was order 1042 after all"'],
  args: { sms: many('IDs of SMS') },
  flags: { note: noteFlag },
  one: ({ core, who, flags: { note } }, id) => reopenSms(core, { id, note, who }),
  lines: ({ id, references }) => [`The money ${references.join(', ')} of SMS ${id} can be claimed again.`],
});
