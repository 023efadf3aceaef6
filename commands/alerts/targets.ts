/** `kashbox alerts targets` */
import type { TargetView } from '../../src/actions/alerts/alert-targets.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { listFlags } from '../../src/cli/command/flags.js';

const LISTING: Listing<TargetView> = {
  columns: [
    { head: 'ID', text: (row) => row.id },
    { head: 'KIND', text: (row) => row.kind },
    { head: 'WHERE', text: (row) => row.hint, shrinks: true },
    { head: 'WAITING', text: (row) => String(row.waiting), align: 'right' },
    { head: 'DEAD', text: (row) => String(row.dead), align: 'right' },
  ],
  csv: ['id', 'kind', 'hint', 'waiting', 'dead', 'created_at'],
  empty: 'Nobody is told of alerts yet. Say where: kashbox alerts add --help',
};

export default class AlertsTargets extends BaseCommand {
  static override summary = 'List where alerts are told.';
  static override description =
    'WAITING counts alerts that are to be told there, DEAD those that were given up; "kashbox alerts list" says why.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --ndjson | <%= config.bin %> alerts remove -',
  ];
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(AlertsTargets);
    const { listAlertTargets } = await import('../../src/actions/alerts/alert-targets.js');
    await this.showList(await listAlertTargets(await this.core()), flags, LISTING);
  }
}
