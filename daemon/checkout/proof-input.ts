/** The id or number that a customer enters, by channel, and the message about a wrong one. No markup. */
import { CHANNEL, type PaidChannel, type PayChannel } from '../../src/domain/accounts/channels.js';
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
    default:
      return texts.problems[problem.kind];
  }
}
