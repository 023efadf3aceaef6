/** `kashbox verifications list` */
import { boolean, option } from '@oclif/core/flags';
import type { ReviewView } from '../../src/actions/reviews/list-reviews.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { brandFlag, limitFlag, listFlags } from '../../src/cli/command/flags.js';

const CSV_COLUMNS: readonly (keyof ReviewView)[] = [
  'id',
  'state',
  'reason',
  'created_at',
  'gateway_reference',
  'payment_status',
  'brand',
  'cus_name',
  'due',
  'due_usdt',
  'channel',
  'reference',
  'seen_amount',
  'seen_usdt',
  'seen_from',
  'seen_at',
  'slip_type',
  'decided_at',
  'decided_by',
  'note',
  'slip',
];

const STATES = ['OPEN', 'APPROVED', 'REJECTED'] as const;

export default class VerificationsList extends BaseCommand {
  static override summary = 'List payments that wait for your decision, the oldest first.';
  static override description =
    'Bank transfers always wait for a person; so does money that is too much, too late, or in doubt. ' +
    'Look at one with "kashbox verifications show ID", then approve or reject it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --csv > waiting.csv',
    '<%= config.bin %> <%= command.id %> --ndjson | <%= config.bin %> verifications show -',
  ];
  static override flags = {
    brand: brandFlag,
    state: option({
      options: STATES,
      description: 'Only those in this state; OPEN unless told otherwise.',
    })(),
    all: boolean({ description: 'Those that were decided, too.', exclusive: ['state'] }),
    limit: limitFlag,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(VerificationsList);
    const core = await this.core();
    const { reviewPages } = await import('../../src/actions/reviews/list-reviews.js');
    const state = flags.all ? null : (flags.state ?? 'OPEN');
    const pages = reviewPages(core, { state, brand: flags.brand, limit: this.rowsFor(flags) });
    const { reviewCard } = await import('../../src/cli/text/review-text.js');
    const now = core.clock.now();
    const lines = (row: ReviewView) => reviewCard(row, now);
    await this.showPages(pages, flags, { lines, csv: CSV_COLUMNS, empty: 'Nothing waits for you.' });
  }
}
