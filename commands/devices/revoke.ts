/** `kashbox devices revoke` */
import { deviceSheet } from '../../src/actions/devices/device-view.js';
import { revokeDevice } from '../../src/actions/devices/enroll-device.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default bulkCommand({
  summary: 'Revoke phones permanently.',
  description:
    'Their keys and codes stop working immediately, permanently. The SMS that they relayed are kept. For ' +
    'a phone that was only reset, use "kashbox devices rotate".',
  examples: ['$ counter-1'],
  args: { devices: many('IDs or names of phones') },
  one: ({ core, who }, device) => revokeDevice(core, { device, who }),
  lines: (view) => formatKeyValues(deviceSheet(view)),
});
