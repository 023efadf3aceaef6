/** The field of each card in which a customer enters the proof of payment, and what was wrong with it. */
import { BANK, type PaidChannel } from '../../src/domain/accounts/channels.js';
import { MAX_BANK_REFERENCE } from '../../src/domain/matching/reference.js';
import type { Problem } from './page.js';
import { idNameOf, problemText } from './proof-input.js';
import type { Texts } from './texts/en.js';

/** Room for a pasted SMS, also a long one in Bangla. */
const MAX_TYPED_ID = 2000;

/** In capitals, as the script compares it. */
const HASH_SHAPE = '^0X[0-9A-F]{64}$';

/** As the bank's template names it; there is one on a page. */
const SLIP_ID = 'slip';

const fieldId = (channel: Problem['channel']) => `id-${channel}`;

/** @param isStep true where it follows numbered steps, as the last of them. */
export function proofField(texts: Texts, row: PaidChannel, problem: Problem | null, isStep: boolean) {
  const { channel, given, example } = row;
  const { label, hint } = texts.given[given];
  return {
    id: fieldId(channel),
    name: 'transaction_id',
    label: label(idNameOf(channel)),
    isStep,
    hint: hint(example),
    typed: problem?.typed ?? '',
    maxLength: MAX_TYPED_ID,
    /** What telephones should offer for typing. */
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

/** For the script: the shape in capitals, and what to say of a text without such a thing and with one. */
type FieldCheck = {
  readonly shape: string;
  readonly odd: string;
  readonly found: string;
} | null;

/** No warning for exchange ids and phone numbers: too many forms are valid. */
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

/** The form that puts a claim before the seller. @param claimed what was claimed, as typed or as stored. */
export function askContext(
  path: string,
  claimed: { readonly channel: Problem['channel']; readonly typed: string },
) {
  const { channel: method, typed } = claimed;
  return { action: `${path}/ask`, method, typed, maxLength: MAX_WORDS };
}

type SlipProblem = Problem & { readonly kind: 'slip_unreadable' | 'slip_too_large' };

export function isAboutSlip(problem: Problem | null): problem is SlipProblem {
  return problem?.kind === 'slip_unreadable' || problem?.kind === 'slip_too_large';
}

/** @returns the id of the field that shows the problem. */
export function problemField(problem: Problem): string {
  return isAboutSlip(problem) ? SLIP_ID : fieldId(problem.channel);
}
