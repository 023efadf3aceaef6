/** Theme of a brand on the checkout page: the domain of its website, its colour, its logo. */
import { refuse } from '../../base/errors/refuse.js';
import type { ParseResult } from '../../base/values/parse-result.js';
import { echoed } from '../../base/values/text.js';
import { parseColour } from '../../domain/brands/colour.js';
import type { PictureFacts, PictureKind } from '../../domain/brands/logo.js';
import type { BrandTable, Db } from '../../store/schema/index.js';
import { deleteLogo, logoByFile, putLogo } from '../../store/tables/brands.js';
import type { Core } from '../core/core.js';
import { definedColumns, ifGiven } from '../input/row-change.js';

export type BrandTheme = Pick<BrandTable, 'website' | 'colour' | 'logo'>;

/** Theme fields of a brand. Absent ones stay unchanged; empty texts clear a field. */
export interface GivenLook {
  readonly website?: string | undefined;
  readonly colour?: string | undefined;
  /** A file's bytes; null takes the logo away. */
  readonly logo?: Buffer | null | undefined;
}

/** Validated theme, ready before the database transaction begins. */
export interface ValidatedTheme {
  /** Changed columns of the brand's row. */
  readonly columns: Partial<BrandTheme>;
  /** Bytes of the logo; null if there is none. */
  readonly content: Buffer | null;
}

/** @throws KashboxError `invalid_input` */
export async function checkLook({ website, colour, logo }: GivenLook): Promise<ValidatedTheme> {
  const picture = logo === undefined || logo === null ? null : await checkPicture('logo', logo);
  const facts = picture === null ? null : JSON.stringify(picture.facts);
  return {
    columns: definedColumns({
      website: ifGiven(website, websiteField),
      colour: ifGiven(colour, colourField),
      logo: logo === undefined ? undefined : facts,
    }),
    content: picture?.content ?? null,
  };
}

/** @throws KashboxError `invalid_input` */
export async function checkPicture(kind: PictureKind, bytes: Buffer) {
  const { parsePicture } = await import('../../domain/brands/logo.js');
  const read = parsePicture(kind, bytes);
  return read.ok ? { facts: read.facts, content: bytes } : refuse(`${kind} ${read.fault}`, read.advice);
}

function websiteField(typed: string): string | null {
  const bare = typed.trim();
  if (bare === '') return null;
  const read = parseWebsite(bare);
  return read.ok ? read.domain : refuse(`website ${read.fault}`, 'Write it as https://shop.example.com');
}

function colourField(typed: string): string | null {
  if (typed.trim() === '') return null;
  const colour = parseColour(typed);
  return (
    colour ??
    refuse(`colour "${echoed(typed)}" is not a colour`, 'Write six or three hex digits, such as #00664b.')
  );
}

/** Stores or deletes the logo in the row's database transaction. @param logo `logo` of the changed row. */
export async function keepLogo(db: Db, brand: string, logo: string | null, content: Buffer | null) {
  const facts = logoFacts({ logo });
  if (facts === null || content === null) return deleteLogo(db, brand);
  await putLogo.first(db, { brand_id: brand, file: facts.file, content: content.toString('base64') });
}

export function logoFacts({ logo }: Pick<BrandTheme, 'logo'>): PictureFacts | null {
  return pictureFacts(logo);
}

/** @param column JSON text of a row. */
export function pictureFacts(column: string | null): PictureFacts | null {
  return column === null ? null : (JSON.parse(column) as PictureFacts);
}

/** @returns what operators see of a picture. */
export function pictureView(facts: PictureFacts | null) {
  if (facts === null) return null;
  const { file, ...sizes } = facts;
  return { type: file.slice(file.indexOf('.') + 1), ...sizes };
}

/** @param file in the logo's address. @returns its bytes, or null where no brand has it. */
export async function findLogo(core: Core, file: string): Promise<Buffer | null> {
  const found = await core.store.read((db) => logoByFile.first(db, { file }));
  return found === undefined ? null : Buffer.from(found.content, 'base64');
}

/** Names with a dot and no address: the last part begins with a letter. */
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * @param typed `https://alo.example`, with any path, or `alo.example`.
 * @returns the domain in its ASCII form (`xn--…` for others), so that no letter looks like another one.
 */
export function parseWebsite(typed: string): ParseResult<{ domain: string }> {
  const url = typed.includes('://') ? typed : `https://${typed}`;
  const isPlain = /^https:\/\/[^/?#@:\s\\]+(?:[/?#]|$)/i.test(url) && URL.canParse(url);
  const domain = isPlain ? new URL(url).hostname : '';
  if (DOMAIN.test(domain)) return { ok: true, domain };
  return { ok: false, fault: 'must be the https address of a website, without a port or a user name' };
}
