/** `kashbox devices update` */
import { deviceSheet } from '../../src/actions/devices/device-view.js';
import { updateDevice } from '../../src/actions/devices/update-device.js';
import { command } from '../../src/cli/command/define.js';
import { oneId, repeated, text } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default command({
  summary: "Update a phone's name or SIMs.",
  description:
    'Use it for a new SIM card or a mistyped number. Slots that you omit stay as they are. A new number ' +
    'applies to SMS that the phone receives from now on; older ones that it delivers later need manual ' +
    'review. "kashbox accounts set" changes where customers pay; the output says whether that is needed.',
  examples: [
    '$ counter-1 --sim 1=01712345678',
    '$ counter-1 --sim 1=01712345678 --sim 2=01812345678',
    '$ counter-1 --remove-sim 2',
    '$ counter-1 --name "counter 1, ground floor"',
  ],
  args: { device: oneId('Phone ID or name.') },
  flags: {
    sim: repeated('SLOT=NUMBER', 'Slot and new number of a SIM, such as 1=01712345678. Once for each SIM.', {
      kind: 'digits',
    }),
    'remove-sim': repeated('SLOT', 'Slot that has no SIM any more. May be given several times.', {
      kind: 'digits',
    }),
    name: text('NAME', 'New name, unique per merchant.'),
  },
  async run({ cli, args, flags }) {
    const updated = await updateDevice(await cli.core(), {
      device: args.device,
      name: flags.name,
      sims: flags.sim,
      removedSlots: flags.removeSim,
      who: cli.who,
    });
    cli.show(updated, flags, (view) => formatKeyValues(deviceSheet(view)));
    for (const note of updated.notes) cli.note(`Note: ${note}`);
  },
});
