/** `kashbox rates show` */
import type { RateView } from '../../src/actions/brands/rates.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { listFlags } from '../../src/cli/command/flags.js';

const LISTING: Listing<RateView> = {
  columns: [
    { head: 'BRAND', text: (row) => row.brand ?? 'every brand', shrinks: true },
    { head: 'BDT FOR 1 USDT', text: (row) => row.rate, align: 'right' },
    { head: 'SET', text: (row) => row.set_at.slice(0, 16).replace('T', ' ') },
    { head: 'BY', text: (row) => row.set_by, shrinks: true },
  ],
  csv: ['brand_id', 'brand', 'rate', 'set_at', 'set_by'],
  empty: 'There is no rate yet, so USDT is not offered. Set one with: kashbox rates set 120.50',
};

export default class RatesShow extends BaseCommand {
  static override summary = 'Show how many taka one USDT costs.';
  static override description = 'The rate of every brand, then those of brands that have their own.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(RatesShow);
    const { listRates } = await import('../../src/actions/brands/rates.js');
    await this.showList(await listRates(await this.core()), flags, LISTING);
  }
}
