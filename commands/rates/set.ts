/** `kashbox rates set` */
import { setRate } from '../../src/actions/brands/rates.js';
import { command } from '../../src/cli/command/define.js';
import { brandFlag, oneWord } from '../../src/cli/command/flags.js';

export default command({
  summary: 'Set the price of one USDT in taka.',
  description:
    'Applies to new payments; open payments keep their amounts. Without --brand it sets the default rate ' +
    'for brands without their own. Without any rate USDT (bep20, exchange_pay) is not offered.',
  makesHome: true,
  examples: ['$ 120.50', '$ 121 --brand "Amar Dokan"'],
  args: { rate: oneWord('Taka for one USDT, with at most four decimals.', { kind: 'digits' }) },
  flags: { brand: brandFlag },
  async run({ cli, args, flags }) {
    const core = await cli.core();
    const set = await setRate(core, { brand: flags.brand ?? null, rate: args.rate, who: cli.who });
    cli.show(set, flags, (view) => [`1 USDT = ${view.rate} BDT for ${view.brand ?? 'every brand'}.`]);
  },
});
