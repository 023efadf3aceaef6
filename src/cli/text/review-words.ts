/** Why a claim waits for a person, in words for that person. */
import type { ReviewReason } from '../../domain/matching/matching.js';

interface ReasonTexts {
  /** A few words, for a list. */
  readonly short: string;
  /** What it means, and what to look at before deciding. */
  readonly long: string;
  /** In which case to refuse it. */
  readonly refuse: string;
}

export const REVIEW_WORDS = {
  bank_transfer: {
    short: 'bank transfer',
    long: "No machine sees bank transfers. Look for this reference and amount in the bank's own app or statement.",
    refuse: 'If it is not there',
  },
  overpaid: {
    short: 'paid too much',
    long: 'More came in than the customer owes. Approve if the rest is settled between you and the customer.',
    refuse: 'If you give it all back',
  },
  contested: {
    short: 'whose transfer?',
    long: "It is not the very amount of this payment and may have been meant for another one; or this one was opened after the transfer; or it is claimed by a shop's order number, which others can guess. Ask the customer to show that they sent it.",
    refuse: 'If it is not theirs',
  },
  late: {
    short: 'paid too late',
    long: 'The money came after the payment was over, and the shop was told that it failed. Ask the shop first.',
    refuse: 'If you give it back',
  },
  late_claim: {
    short: 'late, not seen',
    long: 'The payment has expired; the customer says that they paid, and nothing of it was seen here. Look where it would be: in the app of the wallet, the bank or the exchange.',
    refuse: 'If it is not there',
  },
  customer_asked: {
    short: 'customer asks',
    long: 'The customer says that they paid, but the money was not found or does not fit. Compare what came in, if anything, with what is due. If nothing was found, look for the ID in the app of the wallet, the bank or the exchange.',
    refuse: 'If the money is not there',
  },
  sms_doubtful: {
    short: 'SMS in doubt',
    long: "Something about the SMS is odd. Compare it with the wallet's own app before you believe it.",
    refuse: 'If it is not there',
  },
  push_doubtful: {
    short: 'bank push in doubt',
    long: 'The bank has said otherwise of this money too, or money of the same reference was told of by another bank connection. See "kashbox pushes list", and look in the bank\'s statement whether it came, and came once more.',
    refuse: 'If it is not there, or was counted before',
  },
  recipient_unknown: {
    short: 'number unknown',
    long: 'The phone did not say which of its numbers received the money. Look which wallet it is in.',
    refuse: 'If it is in no wallet of this brand',
  },
  several_payers: {
    short: 'several payers fit',
    long: 'More than one payment of this amount fits the number that the customer gave. Find it with "kashbox pushes list --unmatched" and name it with --reference.',
    refuse: "If none is the customer's",
  },
  seen_by_operator: {
    short: 'found by you',
    long: 'Nobody asked: an operator has found the money in the account and given it to this payment.',
    refuse: 'If it is not there',
  },
  disputed: {
    short: 'went back?',
    long: "A later message about this money says otherwise: that it was reversed, returned or another sum. Look in the wallet's or the bank's own app whether it is there.",
    refuse: 'If it went back',
  },
  already_credited: {
    short: 'given to another',
    long: 'The payer of this money named this payment, but it was credited to another one on a person\'s word. "kashbox verifications show" says to which. Money pays one order: settle it with both customers, and with the shop of the other payment.',
    refuse: 'Once that is settled',
  },
  claimed_before_payment: {
    short: 'claimed too early',
    long: 'The ID was claimed before the money moved, when nobody could know it: it may have been guessed. Ask the customer to show the message or the app.',
    refuse: 'If the customer cannot show it',
  },
  opened_after_payment: {
    short: 'opened after payment',
    long: 'The money moved before this payment was opened, and only a few digits name its payer: they may have been guessed. Ask the customer to show the app.',
    refuse: 'If the customer cannot show it',
  },
  may_be_guessed: {
    short: 'may be guessed',
    long: 'Many IDs were claimed for this price that no money came under, so this one may have been guessed too. Ask the customer to show the message or the app.',
    refuse: 'If the customer cannot show it',
  },
  other_merchant: {
    short: 'other merchant has it',
    long: 'Another merchant of this installation was credited with this money. Find out in whose account it is. If it is in this one, approve: it then counts for both.',
    refuse: "If it is in the other merchant's account",
  },
  amount_unknown: {
    short: 'amount unknown',
    long: "The amount in the SMS cannot be read safely. Look up in the wallet's own app what came in.",
    refuse: 'If it is too little',
  },
} as const satisfies Readonly<Record<ReviewReason, ReasonTexts>>;
