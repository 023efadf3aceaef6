/** `kashbox gateway show` */
import { each } from '../../src/cli/command/define.js';
import { manyDispatches } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Show outbound SMS and what became of them.',
  examples: ['$ dsp_0123456789abcdef01234567', 'kashbox gateway list --state UNKNOWN --ndjson | $ - --json'],
  args: { dispatches: manyDispatches() },
  async work({ core }) {
    const { findDispatch } = await import('../../src/actions/dispatches/dispatches.js');
    const { dispatchSheet } = await import('../../src/cli/text/dispatch-sheet.js');
    return { one: (id: string) => findDispatch(core, { id, deviceId: null }), lines: dispatchSheet };
  },
});
