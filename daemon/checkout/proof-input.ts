/**
 * The id or number that a customer enters, by channel: the field for it on each card, and the message about
 * a wrong one. No markup.
 */
import type { CheckoutMethod } from '../../src/actions/sessions/load-checkout.js';
import type { Paisa } from '../../src/base/values/money.js';
import { BANK, CHANNEL, type PaidChannel, type PayChannel, QR } from '../../src/domain/accounts/channels.js';
import { parseTypedPayer } from '../../src/domain/matching/payer.js';
import { MAX_BANK_REFERENCE, matchesIdShape } from '../../src/domain/matching/reference.js';
import { formatTakaLocalized } from './figures.js';
import type { Problem } from './page.js';
import type { Texts } from './texts/en.js';
import type { ProofTexts } from './texts/texts.js';

/** @returns true if a wallet's money is looked for by the number that paid its QR code, and by no id. */
export function isPayerNumber(channel: PayChannel, reference: string): boolean {
  const isId = matchesIdShape(channel, reference.toUpperCase());
  return CHANNEL[channel].kind === 'sms' && !isId && parseTypedPayer(reference) === reference;
}

/** @returns the card that has the form of a claim: what pays a code belongs to the one card of codes. */
export function cardOfClaim(
  claim: { readonly channel: PayChannel; readonly reference: string } | null,
): PayChannel | undefined {
  if (claim === null) return undefined;
  return isPayerNumber(claim.channel, claim.reference) ? QR : claim.channel;
}

/** @returns true for the card of codes, whose form takes the number that paid. */
export const isOfCode = (card: PayChannel | undefined) => card !== undefined && CHANNEL[card].kind === 'push';

/** @returns the card that shows a problem; empty if the customer named none that exists. */
export const cardOfProblem = ({ channel, isByCode }: Problem) => (isByCode ? QR : channel);

/** @param channel a bank or unknown channel gives the general text. */
export function proofTexts(texts: Texts, channel: PayChannel | '' | undefined): ProofTexts {
  const row = rowOf(channel);
  return texts.given[row?.given ?? 'id'];
}

/** @returns what the wallet calls its ids; empty of all other ways, whose words name them. */
export function walletIdName(channel: PayChannel): string {
  const row = rowOf(channel);
  return row?.kind === 'sms' ? row.wallet.ids.name : '';
}

/** @returns null of a bank, and of none. */
function rowOf(channel: PayChannel | '' | undefined): PaidChannel | null {
  const row = channel ? CHANNEL[channel] : null;
  return row === null || row.kind === 'manual' ? null : row;
}

/** True if the payment reference identifies the money: its payer typed no id, and may see its amount. */
export function isByReference(problem: Problem | null): boolean {
  return problem?.kind === 'disagrees' && typeof problem.camePaisa === 'number';
}

/** @returns where the money of a method should have gone; null of a code, which is scanned. */
export function goalText(texts: Texts, { channel, accounts }: CheckoutMethod): string | null {
  const row = CHANNEL[channel];
  if (row.kind === 'push' || accounts.length === 0) return null;
  const numbers = new Set(accounts.map(({ number, details }) => details.shown_number ?? number));
  return texts.goal([...numbers].join(' / '));
}

/** @param duePaisa amount due with the problem's payment method. */
export function cameText(texts: Texts, problem: Problem, duePaisa: Paisa): string | null {
  if (problem.kind !== 'disagrees' || typeof problem.camePaisa !== 'number') return null;
  return problem.about === 'amount'
    ? texts.came(formatTakaLocalized(texts, problem.camePaisa), formatTakaLocalized(texts, duePaisa))
    : problemText(texts, problem);
}

/** Sentence that says what is wrong and what to do next. */
export function problemText(texts: Texts, problem: Problem): string {
  const card = cardOfProblem(problem);
  const given = proofTexts(texts, card);
  switch (problem.kind) {
    case 'disagrees':
      return given.disagrees[problem.about] ?? texts.disagrees[problem.about];
    case 'already_credited':
      return given.credited;
    case 'no_reference': {
      const row = rowOf(card);
      return row === null ? texts.noBankReference : given.none(row.example);
    }
    case 'is_pin':
    case 'is_phone':
    case 'is_amount': {
      const row = rowOf(card);
      return `${texts.mistaken[problem.kind]} ${row === null ? texts.noBankReference : given.hint(row.example)}`;
    }
    default:
      return texts.problems[problem.kind];
  }
}

/** Room for a pasted SMS, also a long one in Bangla. */
const MAX_TYPED_ID = 2000;

/** Written in capitals, because the script compares capitals. */
const HASH_SHAPE = '^0X[0-9A-F]{64}$';

/** Id of the field in the bank's template; a page has only one. */
const SLIP_ID = 'slip';

const fieldId = (card: Problem['channel']) => `id-${card}`;

/** @param isStep true where it follows numbered steps, as the last of them. */
export function proofField(texts: Texts, row: PaidChannel, problem: Problem | null, isStep: boolean) {
  const { channel, given, example } = row;
  const { label, hint } = texts.given[given];
  return {
    id: fieldId(channel),
    name: 'transaction_id',
    label: label(walletIdName(channel)),
    isStep,
    hint: hint(example),
    typed: problem?.typed ?? '',
    maxLength: MAX_TYPED_ID,
    /** Keyboard that phones should show. */
    keyboard: keyboardFor(row),
    problem: problem === null ? null : problemText(texts, problem),
    check: checkOf(texts, row),
  };
}

/** Digits alone only where nothing else can be meant: ids of exchanges and banks have letters, too. */
function keyboardFor(row: PaidChannel): 'capitals' | 'numeric' | 'tel' | 'plain' {
  if (row.kind === 'sms') return row.wallet.ids.rule.rule === 'counted' ? 'numeric' : 'capitals';
  return row.given === 'number' ? 'tel' : 'plain';
}

/** Check for the script: the shape in capitals, and messages for texts without an id and with one. */
type FieldCheck = {
  readonly shape: string;
  readonly odd: string;
  readonly found: string;
} | null;

/** Returns null for exchange ids and phone numbers: too many forms are valid. */
function checkOf(texts: Texts, row: PaidChannel): FieldCheck {
  if (row.kind === 'sms') {
    const { source: shape } = row.wallet.ids.shape;
    return { shape, odd: texts.idOdd(row.example), found: texts.idFound };
  }
  if (row.given === 'hash') return { shape: HASH_SHAPE, odd: texts.hashOdd, found: texts.hashFound };
  return null;
}

export function bankField(
  texts: Texts,
  problem: Problem | null,
  isStep: boolean,
): ReturnType<typeof proofField> {
  return {
    id: fieldId(BANK),
    name: 'reference',
    label: texts.referenceLabel,
    isStep,
    hint: texts.referenceHint,
    typed: problem?.typed ?? '',
    maxLength: MAX_BANK_REFERENCE,
    keyboard: 'capitals',
    problem: problem === null || isAboutSlip(problem) ? null : problemText(texts, problem),
    check: null,
  };
}

/** Length of what a customer may write to the seller, in characters. */
const MAX_WORDS = 500;

/** Form that submits a claim to the seller. @param claimed the claim, as typed or as stored. */
export function reviewFormContext(path: string, claimed: Pick<Problem, 'channel' | 'typed' | 'isByCode'>) {
  const { channel: method, typed, isByCode = false } = claimed;
  return { action: `${path}/ask`, method, typed, isByCode, maxLength: MAX_WORDS };
}

type SlipProblem = Problem & { readonly kind: 'slip_unreadable' | 'slip_too_large' };

export function isAboutSlip(problem: Problem | null): problem is SlipProblem {
  return problem?.kind === 'slip_unreadable' || problem?.kind === 'slip_too_large';
}

/** @returns the id of the field that shows the problem. */
export function problemField(problem: Problem): string {
  return isAboutSlip(problem) ? SLIP_ID : fieldId(cardOfProblem(problem));
}
