/** The id or number that a customer enters, by channel, and the message about a wrong one. No markup. */
import type { CheckoutMethod } from '../../src/actions/sessions/read-checkout.js';
import type { Paisa } from '../../src/base/values/money.js';
import { CHANNEL, type PaidChannel, type PayChannel } from '../../src/domain/accounts/channels.js';
import { shownTaka } from './numbers.js';
import type { Problem } from './page.js';
import type { Texts } from './texts/en.js';
import type { ProofTexts } from './texts/texts.js';

/** @param channel a bank or unknown channel gives the general text. */
export function proofTexts(texts: Texts, channel: PayChannel | '' | undefined): ProofTexts {
  const row = rowOf(channel);
  return texts.given[row?.given ?? 'id'];
}

/** @returns what the wallet calls its ids; empty of all other ways, whose words name them. */
export function idNameOf(channel: PayChannel): string {
  const row = rowOf(channel);
  return row?.kind === 'sms' ? row.wallet.ids.name : '';
}

/** @returns null of a bank, and of none. */
function rowOf(channel: PayChannel | '' | undefined): PaidChannel | null {
  const row = channel ? CHANNEL[channel] : null;
  return row === null || row.kind === 'manual' ? null : row;
}

/** True of money that the payment reference names: its payer has typed no id here, and may hear its sum. */
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

/** @param duePaisa what is due by the problem's own way to pay. */
export function cameText(texts: Texts, problem: Problem, duePaisa: Paisa): string | null {
  if (problem.kind !== 'disagrees' || typeof problem.camePaisa !== 'number') return null;
  return problem.about === 'amount'
    ? texts.came(shownTaka(texts, problem.camePaisa), shownTaka(texts, duePaisa))
    : problemText(texts, problem);
}

/** The sentence that tells a customer what is wrong and what to do next. */
export function problemText(texts: Texts, problem: Problem): string {
  const given = proofTexts(texts, problem.channel);
  switch (problem.kind) {
    case 'disagrees':
      return given.disagrees[problem.about] ?? texts.disagrees[problem.about];
    case 'already_credited':
      return given.credited;
    case 'no_reference': {
      const row = rowOf(problem.channel);
      return row === null ? texts.noBankReference : given.none(row.example);
    }
    case 'is_pin':
    case 'is_phone':
    case 'is_amount': {
      const row = rowOf(problem.channel);
      return `${texts.mistaken[problem.kind]} ${row === null ? texts.noBankReference : given.hint(row.example)}`;
    }
    default:
      return texts.problems[problem.kind];
  }
}
