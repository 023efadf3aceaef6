/** `kashbox rates set` */
import { custom as customArgument } from '@oclif/core/args';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { brandFlag } from '../../src/cli/command/flags.js';

export default class RatesSet extends BaseCommand {
  static override summary = 'Say how many taka one USDT costs.';
  static override description =
    'Holds for payments that are opened from now on; what others were asked for stays. Without --brand it is the ' +
    'rate of every brand that has none of its own. Without any rate, USDT (bep20, exchange_pay) is not offered.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 120.50',
    '<%= config.bin %> <%= command.id %> 121 --brand "Amar Dokan"',
  ];
  static override args = {
    rate: customArgument({ parse: async (text) => text })({
      description: 'Taka for one USDT, with at most four decimals.',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = { brand: brandFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RatesSet);
    const { setRate } = await import('../../src/actions/brands/rates.js');
    const core = await this.core();
    const set = await setRate(core, { brand: flags.brand ?? null, rate: args.rate, who: this.who });
    this.show(set, flags, (view) => [`1 USDT = ${view.rate} BDT for ${view.brand ?? 'every brand'}.`]);
  }
}
