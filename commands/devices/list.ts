/** `kashbox devices list` */
import type { DeviceView } from '../../src/actions/devices/device-view.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { listFlags, merchantFlag } from '../../src/cli/command/flags.js';

export default class DevicesList extends BaseCommand {
  static override summary = 'List relay phones and how they are doing.';
  static override description =
    'ONLINE was seen within 3 minutes, LATE within 15, OFFLINE longer ago or never; REVOKED is shut out. ' +
    'IN counts SMS that lie on the phone and have not come through yet, OUT those that are to be sent and wait ' +
    'here; a + behind the battery means charging. TROUBLE is shown if a phone has some. SIMs and more stand in ' +
    '"kashbox devices show".';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --json',
  ];
  static override flags = { merchant: merchantFlag, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevicesList);
    const { listDevices } = await import('../../src/actions/devices/list-devices.js');
    const rows = await listDevices(await this.core(), { merchant: flags.merchant });
    await this.showList(rows, flags, await listing(rows));
  }
}

const isNew = ({ last_seen_at }: DeviceView) => last_seen_at === null;

async function listing(rows: readonly DeviceView[]): Promise<Listing<DeviceView>> {
  const { batteryText } = await import('../../src/cli/text/sheets.js');
  return {
    columns: [
      { head: 'NAME', text: (row) => row.name, shrinks: true },
      { head: 'STATE', text: (row) => row.state },
      { head: 'SEEN', text: (row) => (isNew(row) ? 'never' : row.last_active) },
      // Of a phone that was never seen it counts from its enrolment, and nothing has gone down.
      { head: 'DOWN', text: (row) => (isNew(row) ? '' : row.downtime), shrinks: true },
      { head: 'BATTERY', text: batteryText, align: 'right' },
      { head: 'NETWORK', text: (row) => row.network ?? '', shrinks: true },
      { head: 'IN', text: (row) => String(row.queued ?? ''), align: 'right' },
      { head: 'OUT', text: (row) => String(row.pending_dispatches), align: 'right' },
      // In 80 columns there is no room for both, and trouble is news.
      rows.some((row) => row.trouble !== null)
        ? { head: 'TROUBLE', text: (row) => row.trouble ?? '', shrinks: true }
        : { head: 'BY', text: (row) => row.agent },
    ],
    csv: [
      'id',
      'name',
      'merchant_id',
      'merchant',
      'state',
      'last_active',
      'last_seen_at',
      'downtime',
      'battery',
      'charging',
      'network',
      'trouble',
      'queued',
      'pending_dispatches',
      'agent',
      'sims',
      'app_version',
      'created_at',
    ],
    empty: 'There are no phones here. Make one known with: kashbox devices enroll',
  };
}
