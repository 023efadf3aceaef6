/** Rates: BDT for one USDT, for one brand or for all without their own rate. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { dhakaIso } from '../../base/values/clock.js';
import { formatSteps } from '../../base/values/usdt.js';
import { EVERY_BRAND, readRate } from '../../domain/matching/quote.js';
import type { Db, RateTable } from '../../store/schema/index.js';
import { writeAudit } from '../../store/tables/audit.js';
import { deleteRate, listedRates, putRate } from '../../store/tables/rates.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';

export interface RateView {
  /** Null for the rate of every brand that has none of its own. */
  readonly brand_id: string | null;
  readonly brand: string | null;
  /** BDT for one USDT, decimal text. */
  readonly rate: string;
  readonly set_at: string;
  readonly set_by: string;
}

export interface SetRate {
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
    await audit(core, db, { scope, who, before, after: { rate: formatSteps(rate) } });
    return rateView({ ...row, brand: brand?.name ?? null });
  });
}

/**
 * Takes a brand's own rate away, or that of every brand: without any, USDT is not offered.
 * @throws KashboxError `not_found`
 */
export async function removeRate(core: Core, { brand: named, who }: Omit<SetRate, 'rate'>): Promise<void> {
  await core.store.write(async (db) => {
    const scope = named === null ? EVERY_BRAND : (await requireBrand(db, named)).id;
    const before = await rateBefore(db, scope);
    if (!(await deleteRate(db, scope))) {
      throw new KashboxError('not_found', {
        message: named === null ? 'There is no rate for every brand' : `${named} has no rate of its own`,
        hint: 'See which rates there are with `kashbox rates show`.',
      });
    }
    await audit(core, db, { scope, who, before, after: null });
  });
}

async function rateBefore(db: Db, scope: string): Promise<{ readonly rate: string } | null> {
  const row = (await listedRates(db)).find((listed) => listed.scope === scope);
  return row === undefined ? null : { rate: formatSteps(row.rate) };
}

interface RateChange {
  readonly scope: string;
  readonly who: string;
  readonly before: { readonly rate: string } | null;
  readonly after: { readonly rate: string } | null;
}

async function audit(core: Core, db: Db, { scope, ...change }: RateChange): Promise<void> {
  await writeAudit(db, core.random, { at: core.clock.now(), action: 'rate.set', subject: scope, ...change });
}

/** The one for every brand first. */
export async function listRates(core: Core): Promise<RateView[]> {
  return (await core.store.read(listedRates)).map(rateView);
}

function rateView(row: RateTable & { readonly brand: string | null }): RateView {
  return {
    brand_id: row.scope === EVERY_BRAND ? null : row.scope,
    brand: row.brand,
    rate: formatSteps(row.rate),
    set_at: dhakaIso(row.set_at),
    set_by: row.set_by,
  };
}

function rateField(text: string): number {
  const rate = readRate(text);
  if (rate !== null) return rate;
  refuse(
    `"${text}" is no rate`,
    'Write the taka for one USDT, with at most four decimals: kashbox rates set 120.50',
  );
}
