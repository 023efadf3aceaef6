/** Rates: BDT for one USDT, for one brand or for all without their own rate. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { formatSteps } from '../../base/values/usdt.js';
import { EVERY_BRAND, parseRate } from '../../domain/matching/quote.js';
import type { Db, RateTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { deleteRate, listedRates, putRate } from '../../store/tables/rates.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';
import { defineView } from '../input/view.js';

type RateView = ReturnType<typeof rateView>;

/** Brand and its id are null for the rate of every brand that has none of its own. */
export const rateView = defineView<RateTable & { readonly brand: string | null }>()(({ same, times }) => ({
  brand_id: (row) => (row.scope === EVERY_BRAND ? null : row.scope),
  ...same('brand'),
  /** BDT for one USDT, decimal text. */
  rate: (row) => formatSteps(row.rate),
  ...times('set_at'),
  ...same('set_by'),
}));

interface SetRate {
  /** Identifier or name; null for every brand that has none of its own. */
  readonly brand: string | null;
  /** BDT for one USDT with at most four decimals. */
  readonly rate: string;
  readonly who: string;
}

/**
 * Holds for payments that are opened from now on; the amounts of others stay.
 * @throws KashboxError `invalid_input`, `not_found`
 */
export async function setRate(core: Core, { brand: named, rate: typed, who }: SetRate): Promise<RateView> {
  const rate = rateField(typed);
  return core.store.write(async (db) => {
    const brand = named === null ? null : await requireBrand(db, named);
    const scope = brand?.id ?? EVERY_BRAND;
    const row = { scope, rate, set_at: core.clock.now(), set_by: who };
    const before = await rateBefore(db, scope);
    await putRate(db, row);
    await audit(core, db, who, 'rate.set', scope, { before, after: { rate: formatSteps(rate) } });
    return rateView({ ...row, brand: brand?.name ?? null });
  });
}

/**
 * Removes a brand's own rate, or the default rate of all brands. USDT is not offered without a rate.
 * @throws KashboxError `not_found`
 */
export async function removeRate(core: Core, { brand: named, who }: Omit<SetRate, 'rate'>): Promise<void> {
  await core.store.write(async (db) => {
    const scope = named === null ? EVERY_BRAND : (await requireBrand(db, named)).id;
    const before = await rateBefore(db, scope);
    if (!(await deleteRate(db, scope))) {
      throw new KashboxError('not_found', {
        message: named === null ? 'There is no rate for every brand' : `${named} has no rate of its own`,
        hint: 'List the rates with `kashbox rates show`.',
      });
    }
    await audit(core, db, who, 'rate.set', scope, { before, after: null });
  });
}

async function rateBefore(db: Db, scope: string): Promise<{ readonly rate: string } | null> {
  const row = (await listedRates(db)).find((listed) => listed.scope === scope);
  return row === undefined ? null : { rate: formatSteps(row.rate) };
}

/** The one for every brand first. */
export async function listRates(core: Core): Promise<RateView[]> {
  return (await core.store.read(listedRates)).map((row) => rateView(row));
}

function rateField(text: string): number {
  const rate = parseRate(text);
  if (rate !== null) return rate;
  refuse(
    `"${text}" is not a rate`,
    'Write the taka for one USDT, with at most four decimals: kashbox rates set 120.50',
  );
}
