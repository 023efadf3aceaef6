/**
 * Recognises texts that pretend to be a wallet's although somebody else sent them. Decides only how such a
 * text is named: none of them is ever money.
 */
import { MFS_CHANNELS, type MfsChannel } from '../../domain/accounts/channels.js';
import { WALLET_ID_SHAPE } from '../../domain/matching/reference.js';
import { isCredit } from '../../domain/wallets/format.js';
import { WALLETS } from '../../domain/wallets/index.js';
import type { CompiledText } from './compile.js';
import { readMatch } from './match.js';
import { unmask } from './normalise.js';

type Texts = Readonly<Record<MfsChannel, readonly CompiledText[]>>;

const NAMES = WALLETS.map(({ name }) => name.en).join('|');
/** "bKash: ", "From: NAGAD", "[upay] " */
const NAME_BEFORE = new RegExp(`^(?:from:?\\s)?[([]?(?:${NAMES})[)\\]:]{0,2}\\s`, 'i');

/** Those with particular marks before those whose marks fit others' texts too. */
const BY_MARKS = [
  ...WALLETS.filter(({ imitation }) => imitation.isVague !== true),
  ...WALLETS.filter(({ imitation }) => imitation.isVague === true),
];

/** Talk of an account, in the name of a wallet. Words of a chat about a payment are not enough. */
const PHISH_TALK =
  /গ্রাহক|একাউন্ট|অ্যাকাউন্ট|হেল্পলাইন|স্থগিত|পিন|customer|account|helpline|verif|suspend|blocked|\bpin\b|\botp\b|prize|lottery/i;

/**
 * The wallet whose text this is, or pretends to be; null if it is nothing like one.
 * @param suspicious also recognise what merely looks like one: right for strangers, wrong for other wallets.
 */
export function imitatedChannel(texts: Texts, text: string, suspicious: boolean): MfsChannel | null {
  for (const channel of MFS_CHANNELS) {
    const match = readMatch(texts[channel], text, null);
    if (match !== null && isCredit(match.format.kind)) return channel;
  }
  if (!suspicious) return null;
  const plain = unmask(text);
  const marked = BY_MARKS.find(({ imitation }) => imitation.marks.every((mark) => mark.test(plain)));
  if (marked !== undefined) return marked.channel;
  if (!PHISH_TALK.test(text)) return null;
  return WALLETS.find(({ imitation }) => imitation.phishing.test(text))?.channel ?? null;
}

/**
 * The other wallet whose text the wallet of `own` is made to say; null if it may be its own words. Wallets
 * borrow each other's words, so an id of its own shape speaks for it; another's name before them does not.
 */
export function imitatedByOwn(texts: Texts, text: string, own: MfsChannel): MfsChannel | null {
  const bare = text.replace(NAME_BEFORE, '');
  for (const channel of MFS_CHANNELS) {
    const match = channel === own ? null : readMatch(texts[channel], bare, null);
    if (match === null || !isCredit(match.format.kind)) continue;
    const id = match.values.trxId;
    if (id === null || !WALLET_ID_SHAPE[own].test(id) || WALLET_ID_SHAPE[channel].test(id)) return channel;
  }
  return null;
}
