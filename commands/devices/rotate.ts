/** `kashbox devices rotate` */
import { rotateDevice } from '../../src/actions/devices/enroll-device.js';
import { translate } from '../../src/base/values/msg.js';
import { command } from '../../src/cli/command/define.js';
import { oneId, text } from '../../src/cli/command/flags.js';
import { pairingDetails, pairingSheet } from '../../src/cli/pairing/pairing.js';

export default command({
  summary: "Replace a phone's keys and pairing code.",
  description:
    'Use it if the code expired, the phone was reset or a key leaked. The old keys stop working ' +
    'immediately; name, SIMs and relayed SMS are kept.',
  examples: ['$ counter-1'],
  args: { device: oneId('Phone ID or name.') },
  flags: {
    url: text('URL', 'https address of the daemon as the phone sees it.'),
  },
  async run({ cli, args, flags }) {
    const core = await cli.core();
    const details = await pairingDetails(core, flags.url, args.device);
    const made = await rotateDevice(core, { device: args.device, who: cli.who });
    const lines = flags.json ? [] : await pairingSheet(made, details, process.stdout.isTTY);
    cli.show(made, flags, () => lines);
    for (const warning of details.warnings) cli.note(`Note: ${translate(warning)}`);
  },
});
