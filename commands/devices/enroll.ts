/** `kashbox devices enroll` */
import { string } from '@oclif/core/flags';
import { enrollDevice } from '../../src/actions/devices/enroll-device.js';
import { translate } from '../../src/base/values/msg.js';
import { command } from '../../src/cli/command/define.js';
import { needed, neededMerchant, text } from '../../src/cli/command/flags.js';
import { pairingDetails, pairingSheet } from '../../src/cli/pairing/pairing.js';

export default command({
  summary: 'Enroll a phone and print its pairing code.',
  description:
    'Name the SIMs by slot and number: money counts only if it arrives on a number that the brand has as ' +
    'an account. The code works once, for 10 minutes; "kashbox devices rotate" creates a new one.',
  examples: [
    '$ --merchant "Amar Dokan" --name counter-1 --sim 1=01712345678',
    '$ --merchant "Amar Dokan" --name counter-2 --sim 1=01712345679 --sim 2=01812345678',
  ],
  flags: {
    merchant: neededMerchant,
    name: needed('NAME', 'Name of the phone; no two have the same.'),
    sim: string({
      helpValue: 'SLOT=NUMBER',
      description: 'Slot and number of a SIM, such as 1=01712345678; once for each SIM.',
      required: true,
      multiple: true,
      multipleNonGreedy: true,
    }),
    url: text('URL', 'https address of the daemon as the phone sees it.'),
  },
  async run({ cli, flags }) {
    const core = await cli.core();
    const details = await pairingDetails(core, flags.url, flags.name);
    const { merchant, name, sim } = flags;
    const made = await enrollDevice(core, { merchant, name, sims: sim, who: cli.who });
    const lines = flags.json ? [] : await pairingSheet(made, details, process.stdout.isTTY);
    cli.show(made, flags, () => lines);
    for (const warning of details.warnings) cli.note(`Note: ${translate(warning)}`);
  },
});
