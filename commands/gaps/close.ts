/** `kashbox gaps close` */
import { closeGap } from '../../src/actions/balance-gaps/list-gaps.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many, noteFlag } from '../../src/cli/command/flags.js';

export default bulkCommand({
  summary: 'Close gaps permanently.',
  description:
    'For money that moves without an SMS, such as automatic savings. Do not close the gap of a missing ' +
    'payment: add its SMS with "kashbox sms add", and the gap closes automatically.',
  examples: [
    '$ gap_01988a7c2d4e5f6a7b8c9d0e --note "Savings of August"',
    'kashbox gaps list --open --ndjson | $ - --note "Looked through"',
  ],
  args: { gap: many('IDs of gaps') },
  flags: { note: noteFlag },
  one: ({ core, who, flags: { note } }, id) => closeGap(core, { id, note, who }),
  lines: ({ id }) => [`Gap ${id} is closed.`],
});
