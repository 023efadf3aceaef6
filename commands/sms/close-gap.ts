/** `kashbox sms close-gap` */
import { each } from '../../src/cli/command/define.js';
import { manyGaps, noteFlag } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Say that a gap is explained: its alert ends, and it is never opened again.',
  description:
    'For money that moves without an SMS, such as savings that are put aside by themselves. A missing payment is ' +
    'not explained but added, with `kashbox sms add`: then its gap closes by itself.',
  examples: [
    '$ gap_01988a7c2d4e5f6a7b8c9d0e --note "Savings of August"',
    'kashbox sms gaps --open --ndjson | $ - --note "Looked through"',
  ],
  args: { gap: manyGaps() },
  flags: { note: noteFlag },
  async work({ core, who, flags }) {
    const { closeGap } = await import('../../src/actions/balance-gaps/list-gaps.js');
    const { note } = flags;
    return { one: (id) => closeGap(core, { id, note, who }), lines: ({ id }) => [`Gap ${id} is closed.`] };
  },
});
