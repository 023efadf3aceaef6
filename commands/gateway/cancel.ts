/** `kashbox gateway cancel` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyDispatches, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class GatewayCancel extends BaseCommand {
  static override summary = 'Take back SMS that no phone has taken yet.';
  static override description =
    'Only what is QUEUED can be taken back: what a phone has taken may be sent already.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> dsp_0123456789abcdef01234567',
    '<%= config.bin %> gateway list --device counter-1 --state QUEUED --ndjson | <%= config.bin %> <%= command.id %> -',
  ];
  static override args = { dispatches: manyDispatches() };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GatewayCancel);
    const { cancelDispatch } = await import('../../src/actions/dispatches/cancel-dispatch.js');
    const { dispatchSheet } = await import('../../src/cli/text/dispatch-sheet.js');
    const core = await this.core();
    const cancel = (id: string) => cancelDispatch(core, { id, who: this.who });
    await this.each([args.dispatches].flat(), flags, cancel, dispatchSheet);
  }
}
