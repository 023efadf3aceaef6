/** Sender ids of wallets. Ids are compared completely: `bKash24` is not bKash. */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { ofEachWallet, WALLETS } from '../../domain/wallets/index.js';

type SenderClass =
  /** The id that handsets show for the wallet's transaction texts. */
  | { readonly outcome: 'official'; readonly channel: MfsChannel }
  /** Helpline numbers: seen in others' lists, confirmed by nobody. */
  | { readonly outcome: 'weak'; readonly channel: MfsChannel }
  /** The wallet's id for offers and notices; no transaction text comes from it. */
  | { readonly outcome: 'notices'; readonly channel: MfsChannel }
  /** Known id of another wallet, a bank or an operator. */
  | { readonly outcome: 'other' }
  | { readonly outcome: 'stranger' };

/** The sender that handsets show for the transaction texts of each wallet. */
export const OFFICIAL_SENDER = ofEachWallet(({ senders }) => senders.official);

/** Lower-case ids, listed only so that genuine texts of these senders are not reported as forgeries. */
const OTHERS = [
  ...['tap', 'tap.', 'ibbl', 'ibbl .', 'islami.bank', '16269', '16259', 'mcash', '16495', 'surecash'],
  ...['pathaopay', 'ipay', '09638-900800', 'telecash', 'tallykhata', 'tallypay', 'cellfin', 'okwallet'],
  ...['brac bank', 'bracbank', 'citybank', 'citytouch', 'city bank', 'ebl', 'uttara bank', 'pubali bank'],
  ...['sonali bank', 'trust bank', 'midland bank', 'rupali bank', 'gp', 'grameenphone', 'banglalink', 'robi'],
  ...['airtel', 'teletalk', 'skitto'],
];

const NOTICE_SENDERS = new Map<string, SenderClass>();
const BY_LOWER_CASE = new Map<string, SenderClass>();
for (const name of OTHERS) BY_LOWER_CASE.set(name, { outcome: 'other' });
for (const { channel, senders } of WALLETS) {
  for (const name of senders.weak) BY_LOWER_CASE.set(name, { outcome: 'weak', channel });
  for (const name of senders.notices) NOTICE_SENDERS.set(name, { outcome: 'notices', channel });
}
for (const { channel, senders } of WALLETS) {
  BY_LOWER_CASE.set(senders.official.toLowerCase(), { outcome: 'official', channel });
}

const STRANGER: SenderClass = { outcome: 'stranger' };
// Left over at the ends by copying; inside an id they would make it another id.
const INVISIBLE_ENDS = /^[\s\u200b-\u200f\ufeff\u00ad]+|[\s\u200b-\u200f\ufeff\u00ad]+$/g;
const LONGEST_SENDER = 64;

/**
 * @param sender as the phone shows it, in any case. Spaces at its ends are ignored; an official sender at
 * whose ends other invisible characters had to be removed counts as weak.
 */
export function classifySender(sender: string): SenderClass {
  if (sender.length > LONGEST_SENDER) return STRANGER;
  const known = findSender(sender.replace(/^ +| +$/g, ''));
  if (known !== undefined) return known;
  const mended = findSender(sender.replace(INVISIBLE_ENDS, ''));
  return mended?.outcome === 'official' ? { outcome: 'weak', channel: mended.channel } : (mended ?? STRANGER);
}

/** The Kelvin sign and its like lower-case to ASCII letters: only ASCII may be lower-cased and compared. */
function findSender(sender: string): SenderClass | undefined {
  const exact = NOTICE_SENDERS.get(sender);
  return exact ?? (/^[ -~]*$/.test(sender) ? BY_LOWER_CASE.get(sender.toLowerCase()) : undefined);
}
