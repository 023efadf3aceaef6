/** `kashbox sms gaps` */
import { boolean } from '@oclif/core/flags';
import type { GapRow } from '../../src/actions/balance-gaps/list-gaps.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { listFlags, merchantFlag, newestFlags } from '../../src/cli/command/flags.js';
import { gapLines } from '../../src/cli/text/gap-text.js';

const LISTING: Listing<GapRow> = {
  lines: gapLines,
  csv: [
    'id',
    'merchant',
    'channel',
    'recipient',
    'missing',
    'direction',
    'before_id',
    'before_at',
    'sms_id',
    'sms_at',
    'device',
    'found_at',
    'asked_at',
    'answered_at',
    'closed_at',
    'closed_by',
  ],
  empty: 'There are no such gaps: the balances in the SMS of each wallet follow one another.',
};

export default class SmsGaps extends BaseCommand {
  static override summary = 'List SMS that never came, as the balances in the others show, the newest first.';
  static override description =
    'Each SMS of a wallet tells its new balance. Where one does not follow from the one before it, money has ' +
    'moved that no SMS tells of. The phone is asked to send again what it has; what stays missing is an alert.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --open',
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --since 7d --csv',
  ];
  static override flags = {
    merchant: merchantFlag,
    open: boolean({ description: 'Only those that are not closed.' }),
    ...newestFlags,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(SmsGaps);
    const core = await this.core();
    const { gapPages } = await import('../../src/actions/balance-gaps/list-gaps.js');
    const { momentMs } = await import('../../src/cli/input/time.js');
    const pages = gapPages(core, {
      merchant: flags.merchant,
      open: flags.open,
      sinceMs: flags.since === undefined ? undefined : momentMs('since', flags.since, core.clock.now()),
      limit: this.rowsFor(flags),
    });
    await this.showPages(pages, flags, LISTING);
  }
}
