/** `kashbox devices revoke` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyIds, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class DevicesRevoke extends BaseCommand {
  static override summary = 'Shut phones out for good: lost, sold or broken.';
  static override description =
    'Their keys and codes are dead from the next request on, and there is no way back. What they have relayed ' +
    'stays. For a phone that is only reset, use "kashbox devices rotate".';
  static override examples = ['<%= config.bin %> <%= command.id %> counter-1'];
  static override args = { devices: manyIds('phones') };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevicesRevoke);
    const { revokeDevice } = await import('../../src/actions/devices/revoke-device.js');
    const { deviceSheet } = await import('../../src/cli/text/sheets.js');
    const core = await this.core();
    const revoke = (device: string) => revokeDevice(core, { device, who: this.who });
    await this.each([args.devices].flat(), flags, revoke, deviceSheet);
  }
}
