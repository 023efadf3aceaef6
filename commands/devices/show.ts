/** `kashbox devices show` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyIds, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class DevicesShow extends BaseCommand {
  static override summary = 'Show relay phones in full.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> counter-1',
    '<%= config.bin %> devices list --ndjson | <%= config.bin %> <%= command.id %> - --json',
  ];
  static override args = { devices: manyIds('phones') };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevicesShow);
    const { findDeviceInFull } = await import('../../src/actions/devices/find-device.js');
    const { deviceLines } = await import('../../src/cli/text/alert-text.js');
    const core = await this.core();
    await this.each([args.devices].flat(), flags, (named) => findDeviceInFull(core, named), deviceLines);
  }
}
