/** `kashbox alert-targets update` */
import { updateAlertTarget } from '../../src/actions/alerts/alert-targets.js';
import { command } from '../../src/cli/command/define.js';
import { oneId } from '../../src/cli/command/flags.js';
import { changeFlags, toTargetChoices } from '../../src/cli/command/target-flags.js';
import { targetLines } from '../../src/cli/text/alert-text.js';

export default command({
  summary: 'Update an alert target.',
  description:
    'Options that you omit stay as they are. --events replaces the complete list. Quiet hours and the ' +
    'daily summary are in Bangladesh time. Alerts delayed by quiet hours that you change are sent within ' +
    'a minute.',
  examples: [
    '$ tgt_01a2b3c4d5e6f7a8b9c0d1e2 --events default,payment.completed',
    '$ tgt_01a2b3c4d5e6f7a8b9c0d1e2 --quiet-hours 23:00-07:00 --daily-summary 21:00',
    '$ tgt_01a2b3c4d5e6f7a8b9c0d1e2 --no-quiet-hours --no-daily-summary',
  ],
  args: { target: oneId('Target ID.') },
  flags: changeFlags,
  async run({ cli, args, flags }) {
    const change = { target: args.target, choices: toTargetChoices(flags), who: cli.who };
    cli.show(await updateAlertTarget(await cli.core(), change), flags, targetLines);
  },
});
