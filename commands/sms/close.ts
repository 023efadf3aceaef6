/** `kashbox sms close` */
import { closeSms } from '../../src/actions/sms/close-sms.js';
import { each } from '../../src/cli/command/define.js';
import { many, noteFlag } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Mark SMS money as not a payment.',
  description:
    'For money that was given back, that is your own, or that is no payment at all. It no longer counts as ' +
    'unclaimed. Whoever claims it is put before you, and it cannot be approved before it is opened again with ' +
    '`kashbox sms reopen`. Give it back in the wallet itself: this moves no money. Who closed it, and your note, are ' +
    'kept. Exit code 4: it has paid for a payment, a verification of it is open, or it is closed.',
  examples: [
    '$ DKQ4TW1CE2 --note "Paid twice; sent back on Monday"',
    'kashbox sms list --unmatched --search 01711000099 --ndjson | $ - --note "My own number"',
  ],
  args: { sms: many('IDs of SMS') },
  flags: { note: noteFlag },
  one: ({ core, who, flags: { note } }, id) => closeSms(core, { id, note, who }),
  lines: ({ id, references }) => [`The money ${references.join(', ')} of SMS ${id} is closed.`],
});
