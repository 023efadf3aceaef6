/** `kashbox alert-targets delete` */
import { removeAlertTarget } from '../../src/actions/alerts/alert-targets.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';

export default bulkCommand({
  summary: 'Delete alert targets.',
  description: 'Alerts that are still queued for it are dropped.',
  examples: ['$ tgt_01a2b3c4d5e6f7a8b9c0d1e2'],
  args: { targets: many('IDs of targets') },
  one: ({ core, who }, target) => removeAlertTarget(core, { target, who }),
  lines: ({ id, hint }) => [`Removed ${hint} (${id})`],
});
