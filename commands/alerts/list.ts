/** `kashbox alerts list` */
import { boolean, string } from '@oclif/core/flags';
import type { AlertView } from '../../src/actions/alerts/list-alerts.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { listFlags, newestFlags } from '../../src/cli/command/flags.js';

const CSV_COLUMNS: readonly (keyof AlertView)[] = [
  'id',
  'event',
  'state',
  'merchant',
  'device_id',
  'device',
  'message',
  'at',
  'ended_at',
];

export default class AlertsList extends BaseCommand {
  static override summary =
    'List what went wrong with phones, SMS and slips, the newest first, and who was told.';
  static override description =
    'device.offline: nothing has come from a phone for 15 minutes. device.recovered: it is back. ' +
    'device.battery_low: 20% or less, and not charging. device.trouble: a phone says that something keeps it from ' +
    'its work. sms.gap: money moved on a wallet and no SMS tells of it. slips.full: a brand has no room for slips ' +
    'of bank transfers any more that day. ' +
    'Each is told once.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --open',
    '<%= config.bin %> <%= command.id %> --since 7d --json',
    '<%= config.bin %> <%= command.id %> --device counter-1',
  ];
  static override flags = {
    open: boolean({ description: 'Only what still troubles.' }),
    device: string({ helpValue: 'DEVICE', description: 'Only those of this phone: its id or name.' }),
    ...newestFlags,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(AlertsList);
    const core = await this.core();
    const { alertPages } = await import('../../src/actions/alerts/list-alerts.js');
    const { momentMs } = await import('../../src/cli/input/time.js');
    const pages = alertPages(core, {
      open: flags.open,
      device: flags.device,
      sinceMs: flags.since === undefined ? undefined : momentMs('since', flags.since, core.clock.now()),
      limit: this.rowsFor(flags),
    });
    const { alertCard } = await import('../../src/cli/text/alert-text.js');
    await this.showPages(pages, flags, {
      lines: alertCard,
      csv: CSV_COLUMNS,
      empty: 'There are no such alerts.',
    });
  }
}
