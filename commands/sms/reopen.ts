/** `kashbox sms reopen` */
import type { ClosedSms } from '../../src/actions/sms/close-sms.js';
import { each } from '../../src/cli/command/define.js';
import { manySms, noteFlag } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Undo `kashbox sms close`: the money counts as before, and can be claimed.',
  description:
    'Claims that came meanwhile wait among the verifications. Who opened it again, and your note, are kept. Exit ' +
    'code 4: it is not closed.',
  examples: ['$ DKQ4TW1CE2 --note "It was order 1042 after all"'],
  args: { sms: manySms() },
  flags: { note: noteFlag },
  async work({ core, who, flags }) {
    const { reopenSms } = await import('../../src/actions/sms/close-sms.js');
    return {
      one: (id: string) => reopenSms(core, { id, note: flags.note, who }),
      lines: ({ id, references }: ClosedSms) => [
        `The money ${references.join(', ')} of SMS ${id} can be claimed again.`,
      ],
    };
  },
});
