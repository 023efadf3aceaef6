/** `kashbox devices enroll` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';

export default class DevicesEnroll extends BaseCommand {
  static override summary = 'Make a relay phone known and get the code with which it pairs.';
  static override description =
    'Name the SIMs by slot and number: money counts only if it arrives on a number that the brand has as an ' +
    'account. The code works once, for 10 minutes; if it runs out, "kashbox devices rotate" gives a new one.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --name counter-1 --sim 1=01712345678',
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --name counter-2 --sim 1=01712345679 --sim 2=01812345678',
  ];
  static override flags = {
    merchant: string({
      helpValue: 'MERCHANT',
      description: 'Identifier or name of the merchant.',
      required: true,
    }),
    name: string({
      helpValue: 'NAME',
      description: 'Name of the phone; no two have the same.',
      required: true,
    }),
    sim: string({
      helpValue: 'SLOT=NUMBER',
      description: 'Slot and number of a SIM, such as 1=01712345678. Give it once for each SIM.',
      required: true,
      multiple: true,
      multipleNonGreedy: true,
    }),
    url: string({ helpValue: 'URL', description: 'https address of the daemon as the phone sees it.' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevicesEnroll);
    const { pairingOffer } = await import('../../src/cli/pairing/pairing.js');
    const core = await this.core();
    const offer = await pairingOffer(core, flags.url, flags.name);
    const { enrollDevice } = await import('../../src/actions/devices/enroll-device.js');
    const { merchant, name, sim } = flags;
    const made = await enrollDevice(core, { merchant, name, sims: sim, who: this.who });
    const { pairingSheet } = await import('../../src/cli/pairing/pairing-sheet.js');
    const lines = flags.json ? [] : await pairingSheet(made, offer, process.stdout.isTTY);
    this.show(made, flags, () => lines);
    for (const warning of offer.warnings) this.note(`Note: ${warning}`);
  }
}
