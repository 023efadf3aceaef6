/** `kashbox alerts test` */
import { string } from '@oclif/core/args';
import { BaseCommand } from '../../src/cli/command/base-command.js';

export default class AlertsTest extends BaseCommand {
  static override summary = 'Send a test to where alerts are told, now, and see whether it arrives.';
  static override description =
    'It is sent from here, without the daemon; a command is run here too, as you and not as the daemon. Its event ' +
    'is "test". Exit code 0 only if it arrived everywhere, else 4.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> tgt_01a2b3c4d5e6f7a8b9c0d1e2 --json',
  ];
  static override args = {
    target: string({ description: 'One of them; all unless told otherwise.', ignoreStdin: true }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AlertsTest);
    const core = await this.core();
    const { testAlertTargets } = await import('../../src/actions/alerts/alert-targets.js');
    const { createSender } = await import('../../src/notify/send.js');
    const { createAlertTeller } = await import('../../src/notify/tell-alert.js');
    const teller = createAlertTeller({ sender: createSender(), env: process.env });
    const tested = await testAlertTargets(core, teller, { target: args.target });
    const { testedLine } = await import('../../src/cli/text/alert-text.js');
    this.show(tested, flags, (all) => all.map(testedLine));
    if (tested.some(({ delivered }) => !delivered)) process.exitCode = 4;
  }
}
