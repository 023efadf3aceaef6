/** Description, picture, quantity and suggested amounts of a link: validated and stored. */
import { refuse } from '../../base/errors/refuse.js';
import type { Paisa } from '../../base/values/money.js';
import { hasFixedAmount, type LinkAmounts, parseLinkFields, textFault } from '../../domain/links/link.js';
import { MAX_QUANTITY, parseSuggested, QUANTITY } from '../../domain/links/quantity.js';
import { MAX_SESSION_PAISA } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { deleteLinkImage, linkImageByFile, putLinkImage } from '../../store/tables/links.js';
import { checkPicture } from '../brands/brand-theme.js';
import type { Core } from '../core/core.js';
import { validateInteger } from '../input/fields.js';
import { definedColumns, ifGiven } from '../input/row-change.js';

const MAX_DESCRIPTION = 1_000;

/** Absent details stay unchanged. */
export interface LinkDetails {
  /** At most 1,000 characters; line breaks are kept. Empty removes it. */
  readonly description?: string | undefined;
  /** Maximum number of pieces of one payment; 1 removes the choice. */
  readonly quantity?: number | undefined;
  /** Amounts as `parseSuggested` (domain/links/quantity) takes them; empty removes them. */
  readonly suggest?: string | undefined;
  /** Bytes of a picture; null removes it. */
  readonly image?: Buffer | null | undefined;
}

interface LinkShape extends LinkAmounts {
  /** Rest of the order that is due on delivery; 0 for none. */
  readonly deliveryPaisa: Paisa;
  /** JSON text of its fields. */
  readonly fields: string;
}

/** @returns columns of the link's row. @throws KashboxError `invalid_input` */
export function detailColumns({ description, quantity, suggest }: LinkDetails, link: LinkShape) {
  return definedColumns({
    description: ifGiven(description, descriptionField),
    max_quantity: ifGiven(quantity, (most) => quantityField(most, link)),
    suggested: ifGiven(suggest, (text) => suggestedField(text, link)),
  });
}

function descriptionField(typed: string): string {
  const text = typed.replace(/\r\n?/g, '\n').trim().normalize('NFC');
  const fault = textFault(text, MAX_DESCRIPTION);
  return fault === null ? text : refuse(`description ${fault}`, 'Shorten it, or type it again.');
}

function quantityField(most: number, link: LinkShape): number | null {
  validateInteger('quantity', most, 1, MAX_QUANTITY);
  if (most === 1) return null;
  if (!hasFixedAmount(link)) {
    refuse('quantity needs a fixed amount', 'Give --amount with the price of one piece.');
  }
  if (link.deliveryPaisa > 0) {
    refuse('quantity does not go with an advance', 'Make the link for one order, without --quantity.');
  }
  const fits = Math.floor(MAX_SESSION_PAISA / link.maxPaisa);
  if (most > fits) {
    refuse(
      `${most} pieces cost more than one payment may be`,
      `Give a quantity of at most ${fits}, or a lower amount.`,
    );
  }
  if (parseLinkFields(link.fields).some(({ name }) => name === QUANTITY.name)) {
    refuse(
      'The link has a field "quantity" of its own',
      'Name that field differently, or leave --quantity out.',
    );
  }
  return most;
}

function suggestedField(text: string, link: LinkShape): string {
  const read = parseSuggested(link, text);
  return read.ok
    ? JSON.stringify(read.amounts)
    : refuse(`suggest ${read.fault}`, 'Give amounts such as 100,500,1000, from --min to --max.');
}

/** Checks a picture before the database transaction. @returns its column and its bytes. */
export async function checkImage(image: LinkDetails['image']) {
  const picture = image === undefined || image === null ? null : await checkPicture('image', image);
  const column = picture === null ? null : JSON.stringify(picture.facts);
  return { column: image === undefined ? undefined : column, picture };
}

type CheckedImage = Awaited<ReturnType<typeof checkImage>>;

/** Stores or deletes the picture in the transaction of the link's row. */
export async function keepImage(db: Db, link: string, { column, picture }: CheckedImage): Promise<void> {
  if (column === undefined) return;
  if (picture === null) return deleteLinkImage(db, link);
  const { facts, content } = picture;
  await putLinkImage.first(db, { link_id: link, file: facts.file, content: content.toString('base64') });
}

/** @param file in the picture's address. @returns its bytes, or null if no link has it. */
export async function findLinkImage(core: Core, file: string): Promise<Buffer | null> {
  const found = await core.store.read((db) => linkImageByFile.first(db, { file }));
  return found === undefined ? null : Buffer.from(found.content, 'base64');
}
