/** Why a verification is not decided as an operator wants it, and what the operator can do instead. */
import { KashboxError } from '../../base/errors/errors.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import type { ReviewFact } from '../../domain/why/facts.js';
import type { ReviewRow } from '../../store/tables/reviews.js';

/** Why there is a verification of money that an operator has found; it stays only if it completes. */
export const SEEN = 'seen_by_operator';

export function otherProof({ id }: ReviewRow, reference: string): KashboxError {
  return new KashboxError('state_refused', {
    message: `This verification is about the money under ${reference}, not under another reference`,
    hint: `Approve it without --reference, or reject it: kashbox verifications show ${id}`,
  });
}

const textsOf = (facts: readonly ReviewFact[]) => facts.map(({ text }) => text).join(' ');

/** @param facts as they are now. */
export function factsChanged({ id }: ReviewRow, facts: readonly ReviewFact[]): KashboxError {
  return new KashboxError('facts_changed', {
    message: `The facts are not those that you were shown. Now: ${textsOf(facts)}`,
    hint: `Look again, then decide: kashbox verifications show ${id}`,
  });
}

export function spokenAgainst(
  { id, reason, reference }: ReviewRow,
  warnings: readonly ReviewFact[],
): KashboxError {
  const look = reason === SEEN ? `why ${reference}` : `verifications show ${id}`;
  return new KashboxError('warning_unconfirmed', {
    message: `Not approved, because something speaks against this money. ${textsOf(warnings)}`,
    hint: `If it is there all the same, approve it with --force. Look first: kashbox ${look}`,
  });
}

/** @param lacks paisa */
export function tooLittle({ id, reason, reference }: ReviewRow, lacks: Paisa): KashboxError {
  return new KashboxError('state_refused', {
    message: `What came under ${reference} is ${formatTaka(lacks)} BDT less than what is due`,
    hint:
      reason === SEEN
        ? 'If that is enough for you, add --accept-less. Otherwise give it back: nothing was changed.'
        : `If that is enough for you, add --accept-less. Otherwise: kashbox verifications reject ${id} --note WHY`,
  });
}

export function paidOtherwise({ id, reason, gateway_reference }: ReviewRow): KashboxError {
  return new KashboxError('state_refused', {
    message: `Payment ${gateway_reference} is completed already by another transaction`,
    hint:
      reason === SEEN
        ? `See it with \`kashbox payments show ${gateway_reference}\`. If this money came on top of it, give it back.`
        : `If this money came on top of it, give it back and close the verification: kashbox verifications reject ${id} --note "given back"`,
  });
}

export function spent({ id, channel, reason }: ReviewRow, reference: string): KashboxError {
  return new KashboxError('already_credited', {
    message: `Reference ${reference} was credited to another payment before`,
    hint: hintOf(),
  });

  function hintOf(): string {
    if (CHANNEL[channel].kind === 'manual') {
      return "If it is another transfer of the same name, name it as the bank's statement does with --reference.";
    }
    if (reason === SEEN) {
      const second = `If the statements of two banks show a payment under it, write the second as ${reference}-2.`;
      const other = CHANNEL[channel].kind === 'push' ? ` ${second}` : '';
      return `One payment settles one order. See which with \`kashbox payments list\`.${other}`;
    }
    return `One payment settles one order, so close this one: kashbox verifications reject ${id} --note "used before"`;
  }
}
