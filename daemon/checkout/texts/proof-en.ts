/** The checkout page in English: what is said about an SMS's id, a number, an order id and a hash. */
import { EXCHANGE_APPS } from '../../../src/channels/exchange-pay/exchanges.js';
import type { ProofKind, ProofTexts } from './texts.js';

export const GIVEN_EN: Readonly<Record<ProofKind, ProofTexts>> = {
  id: {
    only: (idName) => `Send the money, then enter the transaction ID (${idName}) here.`,
    label: (idName) => `After sending, enter the transaction ID (${idName})`,
    hint: (example) => `For example ${example}. You can also paste the whole SMS.`,
    none: (example) =>
      `There is no transaction ID in this text. Copy the ID from the SMS (like ${example}) or paste the whole SMS.`,
    credited:
      'This ID has already paid for something else. Enter the ID of the newest SMS. If this is the right one, do not send money again; send it to the seller below.',
    disagrees: {},
    yours: 'Your transaction ID',
    kept: 'Your transaction ID is saved',
    waiting:
      'This usually takes 5 to 20 seconds. The page updates by itself; you do not need to do anything.',
    waitingLong:
      'Please do not send money again. If it takes long, check the ID against the one in your SMS.',
    correct: {
      title: 'Was the ID wrong?',
      text: 'Open the wallet that you paid with and send the right ID again.',
    },
  },

  number: {
    only: () => 'Scan the code with the app of your bank or wallet.',
    label: () => 'The mobile number that you paid from',
    hint: (example) =>
      `For example ${example}, or only its last 4 digits. By it we find your payment among those that the bank reports.`,
    none: (example) =>
      `This is no mobile number. Enter its 11 digits (like ${example}), or only the last 4 of them.`,
    credited:
      'The payment from this number has been counted for something else. Do not pay again; send it to the seller below.',
    disagrees: {},
    yours: 'Your number',
    kept: 'Your number is saved',
    waiting:
      'Banks usually report a payment within a minute. The page updates by itself; you do not need to do anything.',
    waitingLong:
      'Please do not pay again. If it takes long, check that this is the number that you have paid from.',
    correct: {
      title: 'Was the number wrong?',
      text: 'Open the way that you paid with and send the right number again.',
    },
  },

  order: {
    only: () => `Send USDT in the ${EXCHANGE_APPS} app, then enter the order ID here.`,
    label: () => 'After sending, enter the order ID',
    hint: (example) =>
      `It is in the ${EXCHANGE_APPS} app, in the details of the payment, for example ${example}. Its transaction ID will do, too.`,
    none: (example) =>
      `There is no order ID in this text. Copy it from the details of the payment in the ${EXCHANGE_APPS} app (like ${example}).`,
    credited:
      'This order ID has already paid for something else. Enter the one of your newest payment. If this is the right one, do not send again; send it to the seller below.',
    disagrees: {
      recipient: `This payment did not go to the seller’s ${EXCHANGE_APPS} ID. Check the order ID once more. If it is right, send it to the seller below.`,
      amount:
        'This payment is smaller than the amount due. Check the order ID once more. If it is right, do not send again; send it to the seller below.',
      time: 'This order ID belongs to an older payment. Enter the one of the USDT that you sent for this payment.',
    },
    yours: 'Your order ID',
    kept: 'Your order ID is saved',
    waiting: `We are asking ${EXCHANGE_APPS}; this usually takes 5 to 20 seconds. The page updates by itself; you do not need to do anything.`,
    waitingLong: `Please do not send again. If it takes long, check the order ID against the one in the ${EXCHANGE_APPS} app.`,
    correct: {
      title: 'Was the order ID wrong?',
      text: 'Open the way that you paid with and send the right order ID again.',
    },
  },

  hash: {
    only: () => 'Send USDT, then enter the transaction hash (TxID) here.',
    label: () => 'After sending, enter the transaction hash (TxID)',
    hint: (example) =>
      `It begins with 0x and is long, like ${example}. A link to it in an explorer such as BscScan will do, too.`,
    none: (example) =>
      `There is no whole transaction hash in this text. It begins with 0x and has 66 characters (like ${example}); an address is shorter.`,
    credited:
      'This hash has already paid for something else. Enter the one of your newest transaction. If this is the right one, do not send again; send it to the seller below.',
    disagrees: {
      recipient:
        'The USDT of this transaction did not go to the seller’s address. Check the hash once more. If it is right, send it to the seller below.',
      amount:
        'Less USDT arrived than the amount due; perhaps a fee was taken from it. Check the hash once more. If it is right, do not send again; send it to the seller below.',
      time: 'This hash belongs to an older transaction. Enter the one of the USDT that you sent for this payment.',
    },
    yours: 'Your transaction hash',
    kept: 'Your transaction hash is saved',
    waiting:
      'It takes a minute or two until the network has confirmed your transaction for good. The page updates by itself; you do not need to do anything.',
    waitingLong:
      'Please do not send again. If it takes long, check the hash against the one in your wallet or exchange.',
    correct: {
      title: 'Was the hash wrong?',
      text: 'Open the way that you paid with and send the right hash again.',
    },
  },
};
