/** `kashbox rates remove` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { brandFlag } from '../../src/cli/command/flags.js';

export default class RatesRemove extends BaseCommand {
  static override summary = 'Take a rate away.';
  static override description =
    'With --brand the brand falls back to the rate of every brand. Without it, brands that have no rate of their ' +
    'own do not offer USDT any more. Payments that are open keep their amounts.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan"',
    '<%= config.bin %> <%= command.id %>',
  ];
  static override flags = { brand: brandFlag };

  async run(): Promise<void> {
    const { flags } = await this.parse(RatesRemove);
    const { removeRate, listRates } = await import('../../src/actions/brands/rates.js');
    const core = await this.core();
    await removeRate(core, { brand: flags.brand ?? null, who: this.who });
    const left = await listRates(core);
    this.show(left, flags, () => [
      `The rate of ${flags.brand ?? 'every brand'} is gone.`,
      ...(left.length === 0 ? ['There is no rate any more, so USDT is not offered.'] : []),
    ]);
  }
}
