/** `kashbox devices show` */
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Show relay phones in full.',
  examples: ['$ counter-1', 'kashbox devices list --ndjson | $ - --json'],
  args: { devices: manyIds('phones') },
  async work({ core }) {
    const { findDeviceInFull } = await import('../../src/actions/devices/device-view.js');
    const { deviceLines } = await import('../../src/cli/text/alert-text.js');
    return { one: (named) => findDeviceInFull(core, named), lines: deviceLines };
  },
});
