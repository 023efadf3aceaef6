/** Records which third-party programs call for a brand, and warns of settings that do not fit them. */
import { quoted } from '../../base/values/text.js';
import type { CallSign } from '../../domain/plugins/plugin.js';
import { type Fit, fitOf, pluginsCalling, readSigns, withSigns } from '../../domain/plugins/plugins.js';
import { changeBrand } from '../../store/tables/brands.js';
import type { BrandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';

/** Each sign is written once per brand; the caller knows the recorded ones from the brand's row. */
export async function noteCaller(
  core: Core,
  { brandId }: Pick<BrandContext, 'brandId'>,
  signs: readonly CallSign[],
): Promise<void> {
  await core.store.write(async (db) => {
    const { called_by: kept } = await requireBrand(db, brandId);
    const called_by = withSigns(kept, signs);
    if (called_by !== kept) await changeBrand(db, brandId, { called_by });
  });
}

interface CallerAdvice {
  readonly message: string;
  readonly remedy: string;
}

type Called = Parameters<typeof fitOf>[0] & { readonly called_by: string };

/** @param named identifier or name of the brand, for the command. @returns null where all fits. */
export function callerAdvice(named: string, brand: Called): CallerAdvice | null {
  const signs = readSigns(brand.called_by);
  const fit = fitOf(brand, signs);
  if (fit === 'fits') return null;
  const programs = pluginsCalling(signs);
  return {
    message: `it is called by a program that is known by ${signs.join(', ')}, ${butText(fit, brand)}`,
    remedy:
      `Name the program, one of ${programs.join(', ')}: kashbox brands update ${quoted(named)} ` +
      `--plugin ${programs[0]}. If it is your own: --dialect strict.`,
  };
}

function butText(fit: Exclude<Fit, 'fits'>, { plugin }: Called): string {
  switch (fit) {
    case 'dialect':
      return 'but verify answers it in the dialect standard, which such programs cannot read';
    case 'program':
      return `but its plugin is ${plugin}`;
    default:
      return fit satisfies never;
  }
}
