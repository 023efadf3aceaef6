/** English texts of the checkout page about input: the id of an SMS, a number, an order id or a hash. */
import { EXCHANGE_APPS } from '../../../src/channels/exchange-pay/exchanges.js';
import type { Disagreement } from '../../../src/domain/matching/matching.js';
import type { MistakenId } from '../../../src/domain/matching/reference.js';
import type { PlainProblem, ProofKind, ProofTexts } from './texts.js';

export const GIVEN_EN: Readonly<Record<ProofKind, ProofTexts>> = {
  id: {
    only: (idName) => `Send the money, then enter the transaction ID (${idName}) here.`,
    label: (idName) => `After sending, enter the transaction ID (${idName})`,
    hint: (example) => `For example ${example}. You can also paste the whole SMS.`,
    none: (example) =>
      `There is no transaction ID in this text. Copy the ID from the SMS (like ${example}) or paste the whole SMS.`,
    credited:
      'This ID was already used for another payment. Enter the ID of the newest SMS. If this is the right one, do not send money again; send it to the seller below.',
    disagrees: {},
    yours: 'Your transaction ID',
    kept: 'Your transaction ID is saved',
    waiting: 'This usually takes 5 to 20 seconds. This page updates automatically.',
    waitingLong:
      'Please do not send money again. If it takes long, check the ID against the one in your SMS.',
    correct: {
      title: 'Was the ID wrong?',
      text: 'Choose the method you used and enter the correct ID.',
    },
  },

  number: {
    only: () => 'Scan the code with the app of your bank or wallet.',
    label: () => 'The number that you paid from, or its last 4 digits',
    hint: (example) =>
      `For example ${example}. Another customer may pay the same amount: by the number we find your payment.`,
    none: (example) => `Enter a valid mobile number: 11 digits (like ${example}), or only the last 4.`,
    credited:
      'The money from this number was already used for another payment. Do not pay again; send it to the seller below.',
    disagrees: {},
    yours: 'Your number',
    kept: 'Your number is saved',
    waiting: 'A payment by Bangla QR usually shows within a minute. This page updates automatically.',
    waitingLong:
      'Please do not pay again. If it takes long, check that this is the number that you have paid from.',
    correct: {
      title: 'Was the number wrong?',
      text: 'Choose the method you used and enter the correct number.',
    },
  },

  order: {
    only: () => `Send USDT in the ${EXCHANGE_APPS} app, then enter the order ID here.`,
    label: () => 'After sending, enter the order ID',
    hint: (example) =>
      `It is in the ${EXCHANGE_APPS} app, in the details of the payment, for example ${example}. Its transaction ID works, too.`,
    none: (example) =>
      `There is no order ID in this text. Copy it from the details of the payment in the ${EXCHANGE_APPS} app (like ${example}).`,
    credited:
      'This order ID was already used for another payment. Enter the one of your newest payment. If this is the right one, do not send again; send it to the seller below.',
    disagrees: {
      recipient: `This payment did not go to the seller’s ${EXCHANGE_APPS} ID. Check the order ID again. If it is right, send it to the seller below.`,
      amount:
        'This payment is smaller than the amount due. Check the order ID again. If it is right, do not send again; send it to the seller below.',
      time: 'This order ID belongs to an older payment. Enter the one of the USDT that you sent for this payment.',
    },
    yours: 'Your order ID',
    kept: 'Your order ID is saved',
    waiting: `We are asking ${EXCHANGE_APPS}; this usually takes 5 to 20 seconds. This page updates automatically.`,
    waitingLong: `Please do not send again. If it takes long, check the order ID against the one in the ${EXCHANGE_APPS} app.`,
    correct: {
      title: 'Was the order ID wrong?',
      text: 'Choose the method you used and enter the correct order ID.',
    },
  },

  hash: {
    only: () => 'Send USDT, then enter the transaction hash (TxID) here.',
    label: () => 'After sending, enter the transaction hash (TxID)',
    hint: (example) =>
      `It begins with 0x and is long, like ${example}. A link to it in an explorer such as BscScan works, too.`,
    none: (example) =>
      `There is no complete transaction hash in this text. It begins with 0x and has 66 characters (like ${example}); an address is shorter.`,
    credited:
      'This hash was already used for another payment. Enter the one of your newest transaction. If this is the right one, do not send again; send it to the seller below.',
    disagrees: {
      recipient:
        'The USDT of this transaction did not go to the seller’s address. Check the hash again. If it is right, send it to the seller below.',
      amount:
        'Less USDT arrived than the amount due; perhaps a fee was taken from it. Check the hash again. If it is right, do not send again; send it to the seller below.',
      time: 'This hash belongs to an older transaction. Enter the one of the USDT that you sent for this payment.',
    },
    yours: 'Your transaction hash',
    kept: 'Your transaction hash is saved',
    waiting:
      'The network takes a minute or two to confirm your transaction. This page updates automatically.',
    waitingLong:
      'Please do not send again. If it takes long, check the hash against the one in your wallet or exchange.',
    correct: {
      title: 'Was the hash wrong?',
      text: 'Choose the method you used and enter the correct hash.',
    },
  },
};

export const PROBLEMS_EN = {
  /** Shown if the payment reference identifies the money: amount received, and amount due. */
  came: (came: string, due: string) => `We received ${came}; the amount due is ${due}.`,
  /** @param number the seller's, or another address. */
  goal: (number: string) => `The money should have gone to ${number}. Compare that with where you sent it.`,
  /** Headings above the card of the money that was sent, and above the other cards. */
  sentTitle: 'What you have sent',
  otherWays: 'Paid another way?',
  /** Link at the top of the page to the field, which shows the complete message. */
  problemBelow: 'Please correct one thing below',
  noBankReference: 'Enter the bank’s transaction or reference number: 3 to 64 letters and digits.',
  /** Shown for a text that is not an id, before an example of one. */
  mistaken: {
    is_pin:
      'This looks like a PIN, and we have not kept it. Never enter your PIN here or tell it to anyone. Enter the transaction ID.',
    is_phone: 'This is a phone number. Enter the transaction ID.',
    is_amount: 'This is the amount. Enter the transaction ID.',
  } satisfies Record<MistakenId, string>,
  problems: {
    several_references: 'There is more than one ID in this text. Enter only the one of this payment.',
    ask_full_number:
      'These four digits match more than one number. Enter all 11 digits of the number that you paid from.',
    too_many_attempts:
      'There were too many attempts; no more are possible. If you have paid, contact the seller.',
    method_unavailable:
      'This payment method is no longer available. Choose another one or contact the seller.',
    over_budget:
      'This was not accepted: too many entries without a payment were made today. If you paid by a wallet or USDT, enter the transaction ID again in a minute: we accept it once the money is here. Otherwise contact the seller.',
    plays_used_up: 'No more test payments can be made for this brand today. Try again tomorrow.',
    sold_out:
      'No more USDT payments can be started here today. Choose another payment method or contact the seller.',
    over: 'This payment accepts no more entries. If you have paid, contact the seller.',
    slip_unreadable:
      'We could not open this file. Choose a PNG, JPG or PDF, or send the form without a file.',
    slip_too_large:
      'This file is larger than 2 MB. Choose a smaller picture or a screenshot, or send the form without a file.',
    stale_form:
      'This page was open for too long, or cookies are off in your browser. Press the button again. If it happens again, allow cookies.',
    stale_upload:
      'This page was open for too long, or cookies are off in your browser. Choose the file again if you want to add one, and press the button again. If it happens again, allow cookies.',
  } satisfies Record<PlainProblem, string>,
  /** Used if `ProofTexts` has no text of its own. */
  disagrees: {
    recipient:
      'This ID’s money did not go to the seller’s number. Check the ID again. If it is right, send it to the seller below.',
    account_type:
      'This money was sent in another way (such as Cash Out instead of Send Money). Do not send it again: send this ID to the seller below.',
    amount:
      'The amount of this ID does not match this payment. Check the ID again. If it is right, do not send money again; send it to the seller below.',
    failed:
      'This transaction failed on the chain: no USDT was transferred. Check your wallet, send the amount again and enter the new hash.',
    token:
      'This transaction did not transfer USDT: it used another coin or a fake token. Enter the hash of the right one, or send it to the seller below.',
    currency:
      'This payment was made in another coin, not in USDT. Do not send it again: send this ID to the seller below.',
    not_incoming:
      'This ID does not belong to a payment to the seller; it may be a refund. Enter the ID of this payment.',
    other_payment:
      'This transaction has the amount of somebody else’s payment. Enter the hash of your own. If this is yours, do not send again; send it to the seller below.',
    time: 'This ID belongs to an older transaction. Enter the ID of the money that you sent for this payment.',
  } satisfies Record<Disagreement, string>,
};
