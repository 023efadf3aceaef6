/**
 * Link of an SMS in the chain of a wallet's balances: the balance before and after the money moved, as far as
 * the SMS reports it reliably. Does not know the store.
 */

/** An SMS as it was read. */
export interface ReadText {
  readonly id: string;
  readonly body: string;
  readonly kind: string;
  /** True if its kind adds money to the wallet. */
  readonly credit: boolean;
  readonly amountPaisa: number | null;
  readonly feePaisa: number | null;
  readonly balancePaisa: number | null;
  readonly trxId: string | null;
  /** Format that matches the complete text; null if none does. */
  readonly format: string | null;
  readonly reasons: readonly string[];
  /** Time at which the money moved, milliseconds since the epoch. */
  readonly atMs: number;
}

/** Balances in paisa, null if the text does not report them. If both are null, any amount may have moved. */
export interface ChainLink {
  readonly id: string;
  /** Integer minutes since the epoch. Texts have no seconds: the order within a minute is unknown. */
  readonly minute: number;
  readonly before: number | null;
  readonly after: number | null;
  /** Maximum fee that the text may not show, in paisa: the balance may be lower by up to this amount. */
  readonly feeUpTo: number;
  /** Maximum agent's commission booked at once, in paisa: the balance may be up to this higher. */
  readonly commissionUpTo: number;
}

/** Texts that no money moves with, or whose money another text reports. */
const MOVES_NOTHING = ['otp', 'promo', 'notice', 'balance', 'spoofed'];

/** Kinds whose texts report a balance, but not the change that led to it. */
const MOVES_UNCLEAR = ['pending', 'failed', 'unknown'];

/** Reasons for which the parsed values may be wrong, or not in the wallet's own words. */
const DOUBTS = [
  'sender_weak',
  'amount_ambiguous',
  'amount_over_balance',
  'balance_unreadable',
  'characters_foreign',
  'characters_hidden',
  'reference_like_message',
  'tail_unknown',
  'two_messages',
  'text_repeated',
  'text_too_long',
];

/** Money that goes out, and payments to a shop, may cost this much where no fee is printed: 2.5 per cent. */
const FEE_PER_MILLE = 25;
/** An agent earns less than 1 per cent. */
const COMMISSION_PER_MILLE = 10;

const MINUTE = 60_000;
const TAKEN_BACK = /revers/i;
const COMMISSION = /\bcomm\b/i;

/** True if the parsed values may be wrong. */
export function isDoubtful({ format, reasons }: Pick<ReadText, 'format' | 'reasons'>): boolean {
  return format === null || reasons.some((reason) => DOUBTS.includes(reason));
}

/** @returns null for a text that has no place in the chain. */
export function toChainLink(text: ReadText): ChainLink | null {
  if (MOVES_NOTHING.includes(text.kind)) return null;
  const minute = Math.floor(text.atMs / MINUTE);
  const link = { id: text.id, minute, feeUpTo: 0, commissionUpTo: 0 };
  if (isDoubtful(text) || text.balancePaisa === null) return { ...link, before: null, after: null };
  const after = text.balancePaisa;
  const { amountPaisa: amount, feePaisa: fee } = text;
  // Of a fee on money that comes in nobody knows whether it is taken out of the amount.
  const isUnclear = text.credit ? (fee ?? 0) > 0 : MOVES_UNCLEAR.includes(text.kind);
  if (isUnclear || amount === null || TAKEN_BACK.test(text.body)) return { ...link, before: null, after };
  const mayCost = fee === null && (!text.credit || text.kind === 'payment_received');
  return {
    ...link,
    before: text.credit ? after - amount : after + amount + (fee ?? 0),
    after,
    feeUpTo: mayCost ? share(amount, FEE_PER_MILLE) : 0,
    commissionUpTo: COMMISSION.test(text.body) ? share(amount, COMMISSION_PER_MILLE) : 0,
  };
}

function share(paisa: number, perMille: number): number {
  return Math.ceil((paisa * perMille) / 1_000);
}

/**
 * Converts texts to links, in their order. Texts with the same transaction id are one link if they agree: two
 * apps may deliver the same text, one of them damaged. If their balances differ, the later link has no
 * balance before it, as for money reserved, then paid: it is unknown when the money left.
 */
export function toChainLinks(texts: readonly ReadText[]): ChainLink[] {
  const links: ChainLink[] = [];
  const placeOf = new Map<string | null, number>();
  for (const text of texts) {
    const link = toChainLink(text);
    if (link === null) continue;
    const place = text.trxId === null ? links.length : (placeOf.get(text.trxId) ?? links.length);
    const known = links[place];
    if (known === undefined) {
      placeOf.set(text.trxId, place);
      links.push(link);
    } else if (known.after === null) links[place] = link;
    else if (link.after !== null && !isSameMove(known, link)) links.push({ ...link, before: null });
  }
  return links;
}

function isSameMove(one: ChainLink, other: ChainLink): boolean {
  return one.before === other.before && one.after === other.after;
}

/**
 * True if the balance before this text follows from a trusted SMS, through SMS whose balances continue from
 * each other. Only the wallet and its owner know that balance.
 * @param earlier other texts of the same wallet, none of them later than this one.
 */
export function followsTrusted(
  text: ReadText,
  earlier: readonly ReadText[],
  isTrusted: (id: string) => boolean,
): boolean {
  const link = toChainLink(text);
  let [left, need] = [withoutForged(toChainLinks(earlier), isTrusted), link?.before ?? null];
  while (need !== null) {
    const latest = Math.max(...left.map(({ minute }) => minute));
    const sought = need;
    const last = left.find(({ minute, after }) => minute === latest && after === sought);
    if (last === undefined) return false;
    if (isTrusted(last.id)) return true;
    left = left.filter((one) => one !== last);
    need = last.before;
  }
  return false;
}

/**
 * @returns the links without those that no other leads to, unless they are trusted: a forged text reports a
 * balance that the wallet never had, and must not end the chain of the genuine ones.
 */
function withoutForged(
  links: readonly ChainLink[],
  isTrusted: (id: string) => boolean,
): readonly ChainLink[] {
  const kept = links.filter(
    (link) =>
      link.before === null ||
      isTrusted(link.id) ||
      links.some((one) => one !== link && one.minute <= link.minute && one.after === link.before),
  );
  return kept.length === links.length ? links : withoutForged(kept, isTrusted);
}
