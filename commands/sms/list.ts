/** `kashbox sms list` */
import { boolean } from '@oclif/core/flags';
import type { SmsRow } from '../../src/actions/sms/list-sms.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { listFlags, newestFlags } from '../../src/cli/command/flags.js';

const LISTING: Listing<SmsRow> = {
  columns: [
    { head: 'RECEIVED', text: (row) => row.received_at.slice(5, 16).replace('T', ' ') },
    { head: 'SENDER', text: (row) => row.sender, shrinks: true },
    { head: 'KIND', text: (row) => row.kind.replaceAll('_', ' ') },
    { head: 'AMOUNT', text: (row) => row.amount ?? '', align: 'right' },
    { head: 'TRX ID', text: (row) => row.trx_id ?? '' },
    { head: 'COUNTS', text: countsText },
    { head: 'TEXT', text: (row) => row.body, shrinks: true },
  ],
  csv: [
    'id',
    'received_at',
    'device',
    'sender',
    'recipient',
    'channel',
    'kind',
    'settle',
    'amount',
    'from',
    'trx_id',
    'reasons',
    'payment',
    'body',
  ],
  empty: 'There are no such SMS.',
};

/** What became of an SMS, in a word. */
function countsText(row: SmsRow): string {
  if (row.payment !== null) return 'paid';
  if (row.settle !== 'auto') return row.settle;
  return row.recipient === null ? 'review' : 'waits';
}

export default class SmsList extends BaseCommand {
  static override summary = 'List SMS that phones have relayed, the newest first.';
  static override description =
    'Nothing that was received is ever dropped. COUNTS says what became of it: paid a payment, waits for one, ' +
    'review by a person, also where the phone did not say which SIM received it, or never.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --unmatched',
    '<%= config.bin %> <%= command.id %> --unparsed --since 7d --json',
  ];
  static override flags = {
    unmatched: boolean({ description: 'Only money that no payment has used yet.' }),
    unparsed: boolean({ description: 'Only texts that could not be read.' }),
    ...newestFlags,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(SmsList);
    const core = await this.core();
    const { smsPages } = await import('../../src/actions/sms/list-sms.js');
    const { momentMs } = await import('../../src/cli/input/time.js');
    const pages = smsPages(core, {
      unmatched: flags.unmatched,
      unparsed: flags.unparsed,
      sinceMs: flags.since === undefined ? undefined : momentMs('since', flags.since, core.clock.now()),
      limit: this.rowsFor(flags),
    });
    await this.showPages(pages, flags, LISTING);
  }
}
