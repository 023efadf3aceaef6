/** Finds the row that an operator named, or throws `not_found` with a hint where to look. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { LINK_ID } from '../../base/values/ids.js';
import { echoed } from '../../base/values/text.js';
import type { Db } from '../../store/schema/index.js';
import { findKey } from '../../store/tables/access.js';
import { findAccount } from '../../store/tables/accounts.js';
import { findBrand } from '../../store/tables/brands.js';
import { findDevices } from '../../store/tables/devices.js';
import { findLink } from '../../store/tables/links.js';
import { findMerchant } from '../../store/tables/merchants.js';
import { listedNodes } from '../../store/tables/nodes.js';
import { findAcquirers } from '../../store/tables/pushes.js';
import { tidyName } from './fields.js';

function found<Row>(row: Row | undefined, noun: string, named: string): Row {
  if (row !== undefined) return row;
  throw new KashboxError('not_found', {
    message: `There is no ${noun} "${echoed(named)}"`,
    hint: `List them with \`kashbox ${noun}s list\`.`,
  });
}

/** @param named identifier or name. @throws KashboxError `not_found` */
export async function requireMerchant(db: Db, named: string) {
  return found(await findMerchant(db, tidyName(named)), 'merchant', named);
}

/** @param named identifier or name. @throws KashboxError `not_found` */
export async function requireBrand(db: Db, named: string) {
  return found(await findBrand(db, tidyName(named)), 'brand', named);
}

/** @param named identifier or name. @throws KashboxError `not_found`, `invalid_input` (several have it) */
export async function requireDevice(db: Db, named: string) {
  return onlyOne(await findDevices(db, tidyName(named)), 'device', named);
}

/** @param named identifier or name. @throws KashboxError `not_found`, `invalid_input` (several have it) */
export async function requireAcquirer(db: Db, named: string) {
  return onlyOne(await findAcquirers(db, tidyName(named)), 'acquirer', named);
}

/**
 * @param named its id, or its origin where no other has the same.
 * @throws KashboxError `not_found`, `invalid_input` (several have that origin)
 */
export async function requireNode(db: Db, named: string) {
  const text = named.trim();
  const rows = (await listedNodes(db, null)).filter(({ id, origin }) => id === text || origin === text);
  return onlyOne(rows, 'node', named, `Several nodes have the origin ${echoed(text)}`);
}

/** The id in what people copy: the id itself, or an address that ends in it. */
function linkIdIn(typed: string): string {
  const [, id = ''] = /^(?:.*\/pay\/)?([^/?#]+)\/?(?:[?#].*)?$/su.exec(typed.trim()) ?? [];
  return id.toLowerCase();
}

/** @param named id or address of a payment link. @throws KashboxError `not_found` */
export async function requireLink(db: Db, named: string) {
  const id = linkIdIn(named);
  return found(LINK_ID.test(id) ? await findLink(db, id) : undefined, 'link', named);
}

/** @returns a function that finds a filter's row id; null if undefined. @throws KashboxError as `require` */
const idOf =
  (require: (db: Db, named: string) => Promise<{ readonly id: string }>) =>
  async (db: Db, named: string | undefined) =>
    named === undefined ? null : (await require(db, named)).id;

/** Finds a live brand. @throws KashboxError `not_found`, `state_refused` (a test brand) */
async function requireLiveBrand(db: Db, named: string) {
  const brand = await requireBrand(db, named);
  if (brand.test_of === null) return brand;
  throw new KashboxError('state_refused', {
    message: `"${brand.name}" is a test brand: its payments are not real money and are in no report`,
    hint: 'See its payments with `kashbox payments list --test`.',
  });
}

export const idOfMerchant = idOf(requireMerchant);
export const idOfBrand = idOf(requireBrand);
/** Finds the brand of an accounting report; refuses a test brand. */
export const idOfLiveBrand = idOf(requireLiveBrand);
export const idOfDevice = idOf(requireDevice);
export const idOfLink = idOf(requireLink);

function onlyOne<Row>(
  [first, ...others]: readonly Row[],
  noun: string,
  named: string,
  several = `Several merchants have a ${noun} "${echoed(named)}"`,
): Row {
  if (others.length > 0) {
    refuse(several, `Name it by its id; see them all with \`kashbox ${noun}s list\`.`);
  }
  return found(first, noun, named);
}

/** @throws KashboxError `not_found` */
export async function requireKey(db: Db, id: string) {
  return found(await findKey(db, id.trim()), 'key', id);
}

/** @throws KashboxError `not_found` */
export async function requireAccount(db: Db, id: string) {
  return found(await findAccount(db, id.trim()), 'account', id);
}
