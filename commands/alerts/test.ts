/** `kashbox alerts test` */
import { string } from '@oclif/core/args';
import { command } from '../../src/cli/command/define.js';

export default command({
  summary: 'Send a test to where alerts are told, now, and see whether it arrives.',
  description:
    'It is sent from here, without the daemon; a command is run here too, as you and not as the daemon. Its event ' +
    'is "test". Exit code 0 only if it arrived everywhere, else 4.',
  doing: 'Sending',
  examples: ['$', '$ tgt_01a2b3c4d5e6f7a8b9c0d1e2 --json'],
  args: {
    target: string({ description: 'One of them; all unless told otherwise.', ignoreStdin: true }),
  },
  async run({ cli, args, flags }) {
    const core = await cli.core();
    const { testAlertTargets } = await import('../../src/actions/alerts/alert-targets.js');
    const { createSender } = await import('../../src/notify/send.js');
    const { createAlertSender } = await import('../../src/notify/send-alert.js');
    const alertSender = createAlertSender({ sender: createSender(), env: process.env });
    const tested = await testAlertTargets(core, alertSender, { target: args.target });
    const { testedLine } = await import('../../src/cli/text/alert-text.js');
    cli.show(tested, flags, (all) => all.map(testedLine));
    if (tested.some(({ delivered }) => !delivered)) process.exitCode = 4;
  },
});
