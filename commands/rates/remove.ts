/** `kashbox rates remove` */
import { listRates, removeRate } from '../../src/actions/brands/rates.js';
import { command } from '../../src/cli/command/define.js';
import { brandFlag } from '../../src/cli/command/flags.js';

export default command({
  summary: 'Remove a rate.',
  description:
    'With --brand the brand uses the default rate again. Without it, brands that have no own rate stop ' +
    'offering USDT. Open payments keep their amounts.',
  examples: ['$ --brand "Amar Dokan"', '$'],
  flags: { brand: brandFlag },
  async run({ cli, flags }) {
    const core = await cli.core();
    await removeRate(core, { brand: flags.brand ?? null, who: cli.who });
    const left = await listRates(core);
    cli.show(left, flags, () => [
      flags.brand === undefined ? 'The common rate is gone.' : `The rate of ${flags.brand} is gone.`,
      ...(left.length === 0 ? ['There is no rate any more, so USDT is not offered.'] : []),
      ...(left.length > 0 && flags.brand === undefined ? ['Brands with a rate of their own keep it.'] : []),
    ]);
  },
});
