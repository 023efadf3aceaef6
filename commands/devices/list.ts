/** `kashbox devices list` */
import {
  batteryText,
  type DeviceView,
  deviceView,
  listDevices,
} from '../../src/actions/devices/device-view.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { merchantFlag } from '../../src/cli/command/flags.js';

import { shrinking } from '../../src/cli/text/table.js';

const downText = (row: DeviceView) => (row.last_seen_at === null ? '' : row.downtime);
const isDown = (row: DeviceView) => downText(row) !== '';

const problemText = ({ problem, agent }: DeviceView) =>
  problem ?? (agent === 'simulator' ? 'simulator: sends no SMS' : '');

export default list({
  summary: 'List relay phones with their status.',
  description:
    'ONLINE was seen within 3 minutes, STALE within 15, OFFLINE longer ago or never; REVOKED is blocked. ' +
    'IN: received SMS that the phone has not synced yet. OUT: SMS waiting here to be sent. A + after the ' +
    'battery means charging. PROBLEM is shown if a phone has one, else BY, its program; a simulator sends ' +
    'no real SMS. "kashbox devices show" shows SIMs and more.',
  examples: ['$', '$ --merchant "Amar Dokan" --json'],
  flags: { merchant: merchantFlag },
  empty: 'There are no phones here. Make one known with: kashbox devices enroll',
  async read({ core, flags: { merchant } }) {
    const rows = await listDevices(core, { merchant });
    return rowsAs(rows, {
      columns: [
        { ...shrinking('name'), shrinks: 'last' },
        'state',
        { head: 'SEEN', text: (row) => (row.last_seen_at === null ? 'never' : row.last_active) },
        // For a phone that was never seen, the time counts from its enrolment.
        ...(rows.some(isDown) ? [{ head: 'DOWN', text: downText, shrinks: true as const }] : []),
        { head: 'BATTERY', text: batteryText, align: 'right' },
        shrinking('network'),
        { head: 'IN', text: (row) => String(row.queued ?? ''), align: 'right' },
        { head: 'OUT', text: (row) => String(row.pending_dispatches), align: 'right' },
        // 80 columns have no room for both; a problem matters more.
        rows.some((row) => row.problem !== null)
          ? { head: 'PROBLEM', text: problemText, shrinks: 'last' }
          : { head: 'BY', text: (row) => row.agent },
      ],
      csv: deviceView.csv('device_key_hint', 'gateway_key_hint'),
    });
  },
});
