/** `kashbox gateway list` */
import { option, string } from '@oclif/core/flags';
import type { DispatchView } from '../../src/actions/dispatches/dispatch-view.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { listFlags, newestFlags } from '../../src/cli/command/flags.js';
import { DISPATCH_STATES } from '../../src/domain/dispatches/dispatch.js';

const LISTING: Listing<DispatchView> = {
  columns: [
    { head: 'QUEUED', text: (row) => row.queued_at.slice(5, 16).replace('T', ' ') },
    { head: 'DEVICE', text: (row) => row.device, shrinks: true },
    { head: 'TO', text: (row) => row.number },
    { head: 'STATE', text: (row) => row.state },
    { head: 'PARTS', text: (row) => `${row.parts_sent}/${row.parts}`, align: 'right' },
    { head: 'TEXT', text: (row) => row.error ?? row.message, shrinks: true },
  ],
  csv: [
    'id',
    'device',
    'number',
    'state',
    'encoding',
    'parts',
    'parts_sent',
    'parts_delivered',
    'sim_slot',
    'priority',
    'queued_at',
    'leased_at',
    'sent_at',
    'delivered_at',
    'ended_at',
    'expires_at',
    'error',
    'message',
  ],
  empty: 'There are no such SMS.',
};

export default class GatewayList extends BaseCommand {
  static override summary = 'List SMS that were to be sent, the newest first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --device counter-1 --since 1d',
    '<%= config.bin %> <%= command.id %> --state FAILED --json',
  ];
  static override flags = {
    device: string({ helpValue: 'DEVICE', description: 'Identifier or name of the phone.' }),
    state: option({ options: DISPATCH_STATES, description: 'Only those in this state.' })(),
    ...newestFlags,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(GatewayList);
    const core = await this.core();
    const { dispatchPages } = await import('../../src/actions/dispatches/list-dispatches.js');
    const { momentMs } = await import('../../src/cli/input/time.js');
    const pages = dispatchPages(core, {
      device: flags.device,
      state: flags.state,
      sinceMs: flags.since === undefined ? undefined : momentMs('since', flags.since, core.clock.now()),
      limit: this.rowsFor(flags),
    });
    await this.showPages(pages, flags, LISTING);
  }
}
