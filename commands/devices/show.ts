/** `kashbox devices show` */
import { findDeviceInFull } from '../../src/actions/devices/device-view.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { deviceLines } from '../../src/cli/text/alert-text.js';

export default bulkCommand({
  summary: 'Show relay phones in full.',
  examples: ['$ counter-1', 'kashbox devices list --ndjson | $ - --json'],
  args: { devices: many('IDs or names of phones') },
  one: ({ core }, named) => findDeviceInFull(core, named),
  lines: deviceLines,
});
