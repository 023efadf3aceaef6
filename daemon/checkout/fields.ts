/** The field of each card in which a customer enters the proof of payment, and what was wrong with it. */
import { BANK, isMfsChannel, type PayChannel } from '../../src/domain/accounts/channels.js';
import { MAX_BANK_REFERENCE, WALLET_ID_SHAPE } from '../../src/domain/matching/reference.js';
import type { FieldContext } from './contexts.js';
import { GIVEN, problemText } from './given.js';
import type { Problem } from './page.js';
import type { Texts } from './texts/texts.js';

/** A pasted SMS, also a long one in Bangla, with what stands around it. */
const MAX_TYPED_ID = 2000;

/** As the script writes what it looks at: in capitals. */
const HASH_SHAPE = '^0X[0-9A-F]{64}$';

/** As the bank's template names it; there is one on a page. */
const SLIP_ID = 'slip';

const fieldId = (channel: string) => `id-${channel}`;

/** @param isStep true where it follows numbered steps, as the last of them. */
export function givenField(
  texts: Texts,
  channel: Exclude<PayChannel, typeof BANK>,
  problem: Problem | null,
  isStep: boolean,
): FieldContext {
  const { kind, example } = GIVEN[channel];
  const { label, hint } = texts.given[kind];
  return {
    id: fieldId(channel),
    name: 'transaction_id',
    label,
    isStep,
    hint: hint(example),
    typed: problem?.typed ?? '',
    maxLength: MAX_TYPED_ID,
    keyboard: kind === 'id' ? 'capitals' : kind === 'number' ? 'digits' : 'plain',
    problem: problem === null ? null : problemText(texts, problem),
    check: checkOf(texts, channel),
  };
}

/** Of ids of exchanges, and of what people write as their number, nothing is odd enough to be said. */
function checkOf(texts: Texts, channel: Exclude<PayChannel, typeof BANK>): FieldContext['check'] {
  if (isMfsChannel(channel)) {
    const { source: shape } = WALLET_ID_SHAPE[channel];
    return { shape, odd: texts.idOdd(GIVEN[channel].example), found: texts.idFound };
  }
  if (channel === 'bep20') return { shape: HASH_SHAPE, odd: texts.hashOdd, found: texts.hashFound };
  return null;
}

export function bankField(texts: Texts, problem: Problem | null, isStep: boolean): FieldContext {
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

type SlipProblem = Problem & { readonly kind: 'slip_unreadable' | 'slip_too_large' };

export function isAboutSlip(problem: Problem | null): problem is SlipProblem {
  return problem?.kind === 'slip_unreadable' || problem?.kind === 'slip_too_large';
}

/** @returns the id of the field beside which the problem is said. */
export function problemField(problem: Problem): string {
  return isAboutSlip(problem) ? SLIP_ID : fieldId(problem.channel);
}
