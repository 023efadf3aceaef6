/** `kashbox alert-targets test` */
import { testAlertTargets } from '../../src/actions/alerts/alert-targets.js';
import { command } from '../../src/cli/command/define.js';
import { optionalWord } from '../../src/cli/command/flags.js';
import { testedLine } from '../../src/cli/text/alert-text.js';
import { createSender } from '../../src/notify/send.js';
import { createAlertSender } from '../../src/notify/send-alert.js';

export default command({
  summary: 'Send a test alert.',
  description:
    'This command sends it, not the daemon; a command target runs here, as you. Its event is "test". Exit ' +
    'code 0 if it arrived at every target, else 4.',
  doing: 'Sending',
  examples: ['$', '$ tgt_01a2b3c4d5e6f7a8b9c0d1e2 --json'],
  args: {
    target: optionalWord('Target ID (default: all).', { kind: 'id' }),
  },
  async run({ cli, args, flags }) {
    const core = await cli.core();
    const alertSender = createAlertSender({ sender: createSender(), env: process.env });
    const tested = await testAlertTargets(core, alertSender, { target: args.target });
    cli.show(tested, flags, (all) => all.map(testedLine));
    if (tested.some(({ delivered }) => !delivered)) process.exitCode = 4;
  },
});
