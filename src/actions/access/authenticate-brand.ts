/**
 * Authenticates a brand, records which programs call for it, and raises an alert when keys are guessed. Every
 * request reads the store, so a change takes effect at once.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import { quoted } from '../../base/values/text.js';
import { isIpAllowed } from '../../domain/accounts/access.js';
import type { CallSign } from '../../domain/plugins/plugin-table.js';
import {
  checkPluginFit,
  type PluginFit,
  parseSigns,
  pluginsCalling,
  withSigns,
} from '../../domain/plugins/plugins.js';
import { brandByKey } from '../../store/tables/access.js';
import { changeBrand } from '../../store/tables/brands.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import { type BrandContext, toBrandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';

/**
 * Authenticates by the first credential that names an active brand; some clients also send placeholders.
 * @param input.credentials in the order in which they are tried (domain/accounts/access, `credentialsOf`).
 * @throws KashboxError `key_missing`, `key_invalid`, `merchant_suspended`, `ip_not_allowed`
 */
export async function authenticateBrand(
  core: Core,
  input: { readonly credentials: readonly string[]; readonly ip: string },
): Promise<BrandContext> {
  if (input.credentials.length === 0) throw new KashboxError('key_missing');
  const now = core.clock.now();
  let suspended = false;
  for (const key of input.credentials) {
    const row = await core.store.read((db) => brandByKey.first(db, { hash: hashKey(key), now }));
    if (row === undefined) continue;
    if (row.merchant_status === 'SUSPENDED') {
      suspended = true;
      continue;
    }
    if (row.allow_ips !== '[]' && !isIpAllowed(input.ip, JSON.parse(row.allow_ips) as string[])) {
      throw new KashboxError('ip_not_allowed');
    }
    return toBrandContext(row);
  }
  throw new KashboxError(suspended ? 'merchant_suspended' : 'key_invalid');
}

/** Each sign is written once per brand; the caller knows the recorded ones from the brand's row. */
export async function recordCaller(
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

type CalledBrand = Parameters<typeof checkPluginFit>[0] & { readonly called_by: string };

/** @param named identifier or name of the brand, for the command. @returns null where all fits. */
export function callerAdvice(named: string, brand: CalledBrand): CallerAdvice | null {
  const signs = parseSigns(brand.called_by);
  const fit = checkPluginFit(brand, signs);
  if (fit === 'fits') return null;
  const programs = pluginsCalling(signs);
  return {
    message: `it is called by a program that uses ${signs.join(', ')}, ${butText(fit, brand)}`,
    remedy:
      `Name the program, one of ${programs.join(', ')}: kashbox brands update ${quoted(named)} ` +
      `--plugin ${programs[0]}. If it is your own: --dialect strict.`,
  };
}

function butText(fit: Exclude<PluginFit, 'fits'>, { plugin }: CalledBrand): string {
  switch (fit) {
    case 'dialect':
      return 'but verify answers it in the dialect standard, which such programs cannot read';
    case 'program':
      return `but its plugin is ${plugin}`;
    default:
      return fit satisfies never;
  }
}

const HOUR_MS = 3_600_000;

/** Raises one alert per hour and address at most, over all daemons. @param limit failures per minute */
export async function raiseKeyGuessingAlert(core: Core, address: string, limit: number): Promise<void> {
  const hour = Math.floor(core.clock.now() / HOUR_MS);
  await core.store.write((db) =>
    raiseAlert(core, db, {
      kind: 'security.key_guessing',
      detail: { address, limit },
      merchantId: null,
      incident: `security.key_guessing:${address}:${hour}`,
    }),
  );
}
