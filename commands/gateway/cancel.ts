/** `kashbox gateway cancel` */
import { each } from '../../src/cli/command/define.js';
import { manyDispatches } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Take back SMS that no phone has taken yet.',
  description: 'Only what is QUEUED can be taken back: what a phone has taken may be sent already.',
  examples: [
    '$ dsp_0123456789abcdef01234567',
    'kashbox gateway list --device counter-1 --state QUEUED --ndjson | $ -',
  ],
  args: { dispatches: manyDispatches() },
  async work({ core, who }) {
    const { cancelDispatch } = await import('../../src/actions/dispatches/dispatches.js');
    const { dispatchSheet } = await import('../../src/cli/text/dispatch-sheet.js');
    return { one: (id: string) => cancelDispatch(core, { id, who }), lines: dispatchSheet };
  },
});
