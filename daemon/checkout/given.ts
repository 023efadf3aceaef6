/**
 * What a customer gives us to be found by, channel by channel, and what is wrong with it, in words. Knows no
 * markup.
 */
import { BANK, isPayChannel, type PayChannel } from '../../src/domain/accounts/channels.js';
import { ofEachWallet } from '../../src/domain/wallets/index.js';
import type { Problem } from './page.js';
import type { GivenKind, GivenTexts, Texts } from './texts/texts.js';

interface Given {
  readonly kind: GivenKind;
  /** Nobody's, of the right shape; a hash is too long to be shown whole. */
  readonly example: string;
}

export const GIVEN: Readonly<Record<Exclude<PayChannel, typeof BANK>, Given>> = {
  ...ofEachWallet(({ ids }): Given => ({ kind: 'id', example: ids.example })),
  qr_interbank: { kind: 'number', example: '01712345678' },
  exchange_pay: { kind: 'order', example: '312345678901234567' },
  bep20: { kind: 'hash', example: '0x9c2f…41e7' },
};

/** @param channel of a bank, or of none that there is: a plain id is spoken of. */
export function givenTexts(texts: Texts, channel: string | undefined): GivenTexts {
  return texts.given[givenOf(channel)?.kind ?? 'id'];
}

function givenOf(channel: string | undefined): Given | null {
  return isPayChannel(channel) && channel !== BANK ? GIVEN[channel] : null;
}

/** The sentence that tells a customer what is wrong and what to do next. */
export function problemText(texts: Texts, problem: Problem): string {
  const given = givenTexts(texts, problem.channel);
  switch (problem.kind) {
    case 'disagrees':
      return given.disagrees[problem.about] ?? texts.disagrees[problem.about];
    case 'already_credited':
      return given.credited;
    case 'no_reference': {
      const example = givenOf(problem.channel)?.example;
      return example === undefined ? texts.noBankReference : given.none(example);
    }
    default:
      return texts.problems[problem.kind];
  }
}
