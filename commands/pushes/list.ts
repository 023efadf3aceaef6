/** `kashbox pushes list` */
import { boolean } from '@oclif/core/flags';
import type { PushRow } from '../../src/actions/pushes/list-pushes.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { listFlags, merchantFlag, newestFlags } from '../../src/cli/command/flags.js';

const LISTING: Listing<PushRow> = {
  columns: [
    { head: 'RECEIVED', text: (row) => row.received_at.slice(5, 16).replace('T', ' ') },
    { head: 'ACQUIRER', text: (row) => row.acquirer, shrinks: true },
    { head: 'REFERENCE', text: (row) => row.reference ?? '', shrinks: true },
    { head: 'AMOUNT', text: (row) => row.amount ?? '', align: 'right' },
    { head: 'PAYER', text: (row) => row.payer ?? '' },
    { head: 'WHAT CAME OF IT', text: (row) => row.why ?? 'paid', shrinks: true },
  ],
  csv: [
    'id',
    'received_at',
    'acquirer',
    'state',
    'reference',
    'amount',
    'payer',
    'merchant_code',
    'bill',
    'paid_at',
    'status',
    'payment',
    'why',
    'body',
  ],
  empty: 'There are no such pushes.',
};

export default class PushesList extends BaseCommand {
  static override summary = 'List what banks have told of payments, the newest first.';
  static override description =
    'Nothing that was received is ever dropped. Of what settled no payment the list says why. Money that no ' +
    'customer claims you can give to a payment: kashbox verifications approve PAYMENT --method qr_interbank ' +
    '--reference REFERENCE --note …';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --unmatched',
    '<%= config.bin %> <%= command.id %> --unread --since 7d --json',
  ];
  static override flags = {
    unmatched: boolean({ description: 'Only money that no payment has used yet.', exclusive: ['unread'] }),
    unread: boolean({ description: 'Only messages that could not be read, or contradict earlier ones.' }),
    merchant: merchantFlag,
    ...newestFlags,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(PushesList);
    const core = await this.core();
    const { pushPages } = await import('../../src/actions/pushes/list-pushes.js');
    const { momentMs } = await import('../../src/cli/input/time.js');
    const pages = pushPages(core, {
      merchant: flags.merchant,
      unmatched: flags.unmatched,
      unread: flags.unread,
      sinceMs: flags.since === undefined ? undefined : momentMs('since', flags.since, core.clock.now()),
      limit: this.rowsFor(flags),
    });
    await this.showPages(pages, flags, LISTING);
  }
}
