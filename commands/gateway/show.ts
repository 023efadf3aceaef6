/** `kashbox gateway show` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyDispatches, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class GatewayShow extends BaseCommand {
  static override summary = 'Show outbound SMS and what became of them.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> dsp_0123456789abcdef01234567',
    '<%= config.bin %> gateway list --state UNKNOWN --ndjson | <%= config.bin %> <%= command.id %> - --json',
  ];
  static override args = { dispatches: manyDispatches() };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GatewayShow);
    const { findDispatch } = await import('../../src/actions/dispatches/find-dispatch.js');
    const { dispatchSheet } = await import('../../src/cli/text/dispatch-sheet.js');
    const core = await this.core();
    const show = (id: string) => findDispatch(core, { id, deviceId: null });
    await this.each([args.dispatches].flat(), flags, show, dispatchSheet);
  }
}
