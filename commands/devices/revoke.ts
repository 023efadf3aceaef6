/** `kashbox devices revoke` */
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Shut phones out for good: lost, sold or broken.',
  description:
    'Their keys and codes are dead from the next request on, and there is no way back. What they have relayed ' +
    'stays. For a phone that is only reset, use "kashbox devices rotate".',
  examples: ['$ counter-1'],
  args: { devices: manyIds('phones') },
  async work({ core, who }) {
    const { revokeDevice } = await import('../../src/actions/devices/enroll-device.js');
    const { deviceSheet } = await import('../../src/cli/text/sheets.js');
    return { one: (device: string) => revokeDevice(core, { device, who }), lines: deviceSheet };
  },
});
