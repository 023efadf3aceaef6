/** The two commands that shut merchants out and let them in again. */
import type { MerchantTable } from '../../store/schema/index.js';
import { type CommandClass, each } from './define.js';
import { manyIds } from './flags.js';

/** A command that brings merchants into that state. */
export function merchantStatus(
  status: MerchantTable['status'],
  about: { readonly summary: string; readonly description: string },
): CommandClass {
  return each({
    ...about,
    examples: ['$ "Amar Dokan"', 'kashbox merchants list --ndjson | $ - --json'],
    args: { merchants: manyIds('merchants') },
    async work({ core, who }) {
      const { changeMerchantStatus } = await import('../../actions/merchants/change-merchant.js');
      const { merchantSheet } = await import('../text/sheets.js');
      const one = (merchant: string) => changeMerchantStatus(core, { merchant, status, who });
      return { one, lines: merchantSheet };
    },
  });
}
