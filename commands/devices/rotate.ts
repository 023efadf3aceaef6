/** `kashbox devices rotate` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { oneId } from '../../src/cli/command/flags.js';

export default class DevicesRotate extends BaseCommand {
  static override summary = 'Give a phone new keys and a new pairing code.';
  static override description =
    'For when the code ran out, the phone was reset or a key has leaked. The old keys are dead at once; the phone ' +
    'keeps its name, its SIMs and what it has relayed.';
  static override examples = ['<%= config.bin %> <%= command.id %> counter-1'];
  static override args = { device: oneId('Identifier or name of the phone.') };
  static override flags = {
    url: string({ helpValue: 'URL', description: 'https address of the daemon as the phone sees it.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevicesRotate);
    const { pairingOffer } = await import('../../src/cli/pairing/pairing.js');
    const core = await this.core();
    const offer = await pairingOffer(core, flags.url, args.device);
    const { rotateDevice } = await import('../../src/actions/devices/rotate-device.js');
    const made = await rotateDevice(core, { device: args.device, who: this.who });
    const { pairingSheet } = await import('../../src/cli/pairing/pairing-sheet.js');
    const lines = flags.json ? [] : await pairingSheet(made, offer, process.stdout.isTTY);
    this.show(made, flags, () => lines);
    for (const warning of offer.warnings) this.note(`Note: ${warning}`);
  }
}
