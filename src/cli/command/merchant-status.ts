/** The two commands that shut merchants out and let them in again. */
import { changeMerchantStatus } from '../../actions/merchants/change-merchant.js';
import { merchantSheet } from '../../actions/merchants/merchant-view.js';
import type { MerchantTable } from '../../store/schema/index.js';
import { sheet } from '../text/table.js';
import { type CommandClass, each } from './define.js';
import { many } from './flags.js';

/** A command that brings merchants into that state. */
export function merchantStatus(
  status: MerchantTable['status'],
  about: { readonly summary: string; readonly description: string },
): CommandClass {
  return each({
    ...about,
    examples: ['$ "Amar Dokan"', 'kashbox merchants list --ndjson | $ - --json'],
    args: { merchants: many('IDs or names of merchants') },
    one: ({ core, who }, merchant) => changeMerchantStatus(core, { merchant, status, who }),
    lines: (view) => sheet(merchantSheet(view)),
  });
}
