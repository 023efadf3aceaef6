/** What speaks against money that an operator approves, in sentences. Decides nothing. */
import { dhakaIso } from '../../base/values/clock.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { canBeNamed, namesId } from '../../domain/why/naming.js';
import type { Db } from '../../store/schema/index.js';
import { accountsOfBrand } from '../../store/tables/accounts.js';
import { newestForgeries, textsHolding } from '../../store/tables/named-texts.js';
import type { ReviewRow } from '../../store/tables/reviews.js';
import { doubtsOf, isForgery, SAID_OTHERWISE, sayNaming, sayNumber, sayReasons } from '../why/say-doubts.js';

/** An SMS that names the id and is no money, such as a forgery (`kind` is `spoofed`). */
export interface NamedIn {
  readonly sms: string;
  readonly sender: string;
  readonly kind: string;
  readonly received_at: string;
}

type Text = Awaited<ReturnType<typeof textsHolding>>[number];

const namedIn = ({ id: sms, sender, kind, received_at }: Text): NamedIn => ({
  ...{ sms, sender, kind },
  received_at: dhakaIso(received_at),
});

/** @param reference the one that is decided about; null where what was seen of it is known. */
export async function warningsOf(
  db: Db,
  row: ReviewRow,
  reference: string | null,
): Promise<{ readonly warnings: readonly string[]; readonly named_in: NamedIn | null }> {
  const text = reference === null ? undefined : await textNaming(db, row, reference);
  const named = text === undefined ? [] : [namedText(reference ?? '', text)];
  const { channel, brand, brand_id, proof_recipient } = row;
  const accounts =
    CHANNEL[channel].kind === 'sms' ? await accountsOfBrand.all(db, { brand: brand_id }) : null;
  const numbers = accounts?.filter((one) => one.channel === channel && one.active === 1) ?? [];
  return {
    warnings: [
      ...named,
      ...sayReasons(doubtsIn(row)),
      ...(row.proof_disputed_by === null ? [] : [SAID_OTHERWISE]),
      ...(accounts === null
        ? []
        : sayNumber(
            proof_recipient,
            brand,
            numbers.map(({ number }) => number),
            channel,
          )),
    ],
    named_in: text === undefined ? null : namedIn(text),
  };
}

/** By their names, the reasons why the SMS counts only after a person has looked; empty for none. */
export function doubtsIn({ sms_reasons }: Pick<ReviewRow, 'sms_reasons'>): readonly string[] {
  return sms_reasons === null ? [] : doubtsOf(sms_reasons);
}

function namedText(reference: string, { id, channel, kind, sender, received_at: at }: Text): string {
  return `${sayNaming(reference, { channel, kind, sender, at })} See it: kashbox sms show ${id}`;
}

/** Of a wallet, and a forgery before all others. */
async function textNaming(db: Db, row: ReviewRow, reference: string): Promise<Text | undefined> {
  if (CHANNEL[row.channel].kind !== 'sms' || !canBeNamed(reference)) return undefined;
  const texts = await textsHolding(db, { merchants: [row.merchant_id], words: [reference], since: 0 });
  const naming = texts.filter(({ body }) => namesId(body, reference));
  return naming.find(isForgery) ?? naming[0];
}

/**
 * For a list that is read again and again: which of these claims stand in a forgery among the newest SMS.
 * @returns by the id of the review.
 */
export async function forgeriesOf(
  db: Db,
  reviews: readonly { readonly id: string; readonly reference: string }[],
): Promise<ReadonlyMap<string, NamedIn>> {
  const named = reviews.filter(({ reference }) => canBeNamed(reference));
  if (named.length === 0) return new Map();
  const texts = await newestForgeries(db);
  const found = named.flatMap(({ id, reference }) => {
    const text = texts.find(({ body }) => namesId(body, reference));
    return text === undefined ? [] : [[id, namedIn(text)] as const];
  });
  return new Map(found);
}
