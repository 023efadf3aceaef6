/** The two commands that shut merchants out and let them in again. */
import { changeMerchantStatus } from '../../actions/merchants/change-merchant.js';
import { merchantSheet } from '../../actions/merchants/merchant-view.js';
import type { MerchantTable } from '../../store/schema/index.js';
import { formatKeyValues } from '../text/table.js';
import { bulkCommand, type CommandClass } from './define.js';
import { many } from './flags.js';

/** A command that brings merchants into that state. */
export function merchantStatus(
  status: MerchantTable['status'],
  about: { readonly summary: string; readonly description: string },
): CommandClass {
  return bulkCommand({
    ...about,
    examples: ['$ "Amar Dokan"', 'kashbox merchants list --ndjson | $ - --json'],
    args: { merchants: many('IDs or names of merchants') },
    one: ({ core, who }, merchant) => changeMerchantStatus(core, { merchant, status, who }),
    lines: (view) => formatKeyValues(merchantSheet(view)),
  });
}
