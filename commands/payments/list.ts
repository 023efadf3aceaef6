/** `kashbox payments list` */
import { option } from '@oclif/core/flags';
import type { PaymentRow } from '../../src/actions/sessions/list-payments.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { brandFlag, listFlags, newestFlags } from '../../src/cli/command/flags.js';

const LISTING: Listing<PaymentRow> = {
  columns: [
    { head: 'CREATED', text: (row) => row.created_at.slice(5, 16).replace('T', ' ') },
    { head: 'REFERENCE', text: (row) => row.gateway_reference },
    { head: 'BRAND', text: (row) => row.brand, shrinks: true },
    { head: 'AMOUNT', text: (row) => row.amount, align: 'right' },
    { head: 'STATUS', text: (row) => row.status },
    { head: 'PAID BY', text: (row) => [row.channel, row.transaction_id].join(' ').trim(), shrinks: true },
  ],
  csv: [
    'id',
    'gateway_reference',
    'brand',
    'status',
    'reason',
    'amount',
    'channel',
    'transaction_id',
    'cus_name',
    'created_at',
    'expires_at',
    'closed_at',
  ],
  empty: 'There are no such payments.',
};

const STATUSES = ['PENDING', 'COMPLETED', 'FAILED'] as const;

export default class PaymentsList extends BaseCommand {
  static override summary = 'List payments, the newest first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since 1d',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --status COMPLETED --csv > paid.csv',
    '<%= config.bin %> <%= command.id %> --status PENDING --ndjson | <%= config.bin %> payments show -',
  ];
  static override flags = {
    brand: brandFlag,
    status: option({ options: STATUSES, description: 'Only payments in this state.' })(),
    ...newestFlags,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(PaymentsList);
    const core = await this.core();
    const { paymentPages } = await import('../../src/actions/sessions/list-payments.js');
    const { momentMs } = await import('../../src/cli/input/time.js');
    const pages = paymentPages(core, {
      brand: flags.brand,
      status: flags.status,
      sinceMs: flags.since === undefined ? undefined : momentMs('since', flags.since, core.clock.now()),
      limit: this.rowsFor(flags),
    });
    await this.showPages(pages, flags, LISTING);
  }
}
