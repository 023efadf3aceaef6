/** Payment link that created a payment, and the values entered on its page. */
import { parseLinkFields, parseLinkValues } from '../../domain/links/link.js';
import { QUANTITY } from '../../domain/links/quantity.js';
import type { Db } from '../../store/schema/index.js';
import { linkOfSession } from '../../store/tables/links.js';

export interface PaymentLink {
  readonly id: string;
  /** Empty where the seller said nothing. */
  readonly title: string;
  /** Values that the customer entered, in the order of the fields, without empty ones. */
  readonly values: readonly { readonly label: string; readonly value: string }[];
}

/** @returns null of a payment that no link has opened. */
export async function findPaymentLink(db: Db, session: string): Promise<PaymentLink | null> {
  const row = await linkOfSession.first(db, { session });
  if (row === undefined) return null;
  const values = parseLinkValues(row.meta_data);
  const own = parseLinkFields(row.fields);
  const fields = own.some(({ name }) => name === QUANTITY.name) ? own : [QUANTITY, ...own];
  return {
    id: row.id,
    title: row.title,
    values: fields.flatMap(({ name, label }) => {
      const value = values.get(name);
      return value === undefined ? [] : [{ label, value }];
    }),
  };
}
