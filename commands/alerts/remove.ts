/** `kashbox alerts remove` */
import { each } from '../../src/cli/command/define.js';
import { manyTargets } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Remove an alert target.',
  description: 'What waits to be told there is given up.',
  examples: ['$ tgt_01a2b3c4d5e6f7a8b9c0d1e2'],
  args: { targets: manyTargets() },
  async work({ core, who }) {
    const { removeAlertTarget } = await import('../../src/actions/alerts/alert-targets.js');
    return {
      one: (target) => removeAlertTarget(core, { target, who }),
      lines: ({ id, hint }) => [`Removed ${hint} (${id})`],
    };
  },
});
