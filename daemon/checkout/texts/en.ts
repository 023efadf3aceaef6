/** The checkout page in English, and by it which texts every language has. */
import type { MfsAccountType } from '../../../src/domain/wallets/wallet.js';
import type { Language, Notice } from '../page.js';
import { DISPLAY_EN } from './display-en.js';
import { LINK_EN, PLAYED_EN } from './link-en.js';
import { GIVEN_EN, PROBLEMS_EN } from './proof-en.js';
import { channelNames, type Statement, walletTexts } from './texts.js';

export type Texts = typeof EN;

export const EN = {
  language: 'en' as Language,
  locale: 'en_US',
  /** The other language, in that language. */
  other: { language: 'bn' as Language, name: 'বাংলা' },
  title: (brand: string) => `${brand}: payment`,
  /** Title for chat previews; reveals nothing else of the payment. */
  previewTitle: (brand: string) => `Payment to ${brand}`,
  toPay: 'Amount to pay',
  /** Label after the payment is over, and if the amount differs between methods. */
  amount: 'Amount',
  youPay: 'You pay',
  website: 'Website',
  customer: 'Customer',
  /** Label of the order lines. @param count how many there are. */
  order: (count: string) => `Order (${count})`,
  paymentNo: 'Payment no.',
  payBefore: (time: string) => `Valid until ${time}`,
  /** @param left minutes or hours, or a running clock; the script replaces `{}` by the clock. */
  left: (left: string) => `${left} left`,
  minutes: (count: string) => `${count} min`,
  hours: (count: string) => `${count} h`,
  /** @param hour 0 to 23 of Bangladesh time. @param clock hours of twelve and minutes. */
  timeOfDay: (hour: number, clock: string) => `${clock} ${hour < 12 ? 'am' : 'pm'}`,
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  /** The three steps of each payment, short. */
  progress: ['Choose', 'Pay', 'Confirmation'],
  /** Next to a QR code of this page's address. */
  onPhone: 'Pay with your phone: scan this code to open this page there.',
  /** Button below the facts of a completed payment. */
  receipt: 'Print or save the receipt',
  live: {
    /** Shown after the name of what the customer has entered. */
    waiting: ['Waiting for the money to show in the seller’s account', 'Confirmed'],
    review: ['We have your details', 'The seller is checking the money', 'Confirmed'],
  },
  neverPin: 'This page never asks for your PIN or OTP. Never tell them to anyone.',

  wallets: walletTexts('en'),
  channels: channelNames('en'),

  given: GIVEN_EN,
  played: PLAYED_EN,
  choose: {
    title: 'How do you want to pay?',
    text: 'Choose one, send the money, then enter the transaction ID (TrxID).',
    /** Shown if the reference of a wallet identifies the payment. */
    byReference:
      'Choose one and follow its steps to pay. This page updates automatically once your payment arrives.',
  },
  onlyWay: 'How to pay',
  onlyByReference:
    'Follow the steps below to pay. This page updates automatically once your payment arrives.',
  /** Link to a page that does not reload: without script the waiting page reloads itself. */
  correctLink: 'Correct it',
  /** Link to the page itself, for browsers without script. */
  updateLink: 'I have paid: update this page',
  late: (brand: string) => ({
    title: 'Already sent the money? Tell us',
    text: `${brand} will check it personally. Please do not send money again now.`,
  }),
  /** A payment that may come in parts. */
  parts: {
    may: 'You may pay in parts, also with different methods.',
    /** Next to the amount, in place of "exactly". */
    orLess: 'or a part of it',
    due: 'Still to pay',
    soFar: (paid: string, amount: string) => `${paid} of ${amount} received`,
    arrived: {
      title: 'Part of the payment has arrived',
      text: (rest: string) => `Pay the remaining ${rest} before the time is over.`,
    },
    choose: 'How do you want to pay the rest?',
    /** Shown after the end of a payment that was not paid in full. @param paid what the shop has kept. */
    kept: (paid: string) => `You have paid ${paid}. The seller will return it or call you.`,
    cancelText: (paid: string) =>
      `You have already paid ${paid}. If you cancel, the seller must return it: contact the seller first.`,
  },
  /** Only a part of the order is paid now. */
  advance: {
    toPay: 'Advance to pay now',
    onDelivery: (delivery: string, order: string) => `${delivery} on delivery · order ${order}`,
    label: 'Advance',
  },
  refunded: (amount: string) => `The seller has returned ${amount} to you.`,
  feeIncluded: (fee: string) => `fee ${fee} included`,
  /** `{}` is replaced by a link with the number of the menu. */
  stepOpen: (wallet: string, service: string) => `In the ${wallet} app tap “${service}”, or dial {}.`,
  numbers: {
    payment: 'merchant number',
    personal: 'number',
    agent: 'agent number',
  } satisfies Record<MfsAccountType, string>,
  /** Above the number, the amount and the reference. */
  stepEnter: 'Enter this in the app:',
  exactly: 'exactly',
  theHolder: 'name shown in the app',
  /** Shown for wallets that request reference and counter number together. */
  counterNote: 'If the app asks for a counter number, enter 1.',
  theReference: 'reference',
  /** Shown below the steps if the money identifies its payment. */
  byItself:
    'Then come back to this page. With that reference it updates automatically, usually within 20 seconds.',
  /** Title of the folded form below those steps, which few customers then need. */
  idByHand: (idName: string) => `Page not updating? Enter the transaction ID (${idName})`,
  stepConfirm: (wallet: string) => `Confirm with your PIN in the ${wallet} app.`,
  /** Next to the number. */
  only: (service: string) => `“${service}” only`,
  /** @param others other services by which money can be sent to such a number. */
  notOthers: (others: readonly string[]) =>
    `Payments made with ${others.map((other) => `“${other}”`).join(' or ')} will not be recognised.`,
  trust: (wallet: string) => `Your money goes straight to the seller’s ${wallet} account.`,
  /** Shown if the wallet's charge to its customer is known. */
  noCharge: (wallet: string) => `No ${wallet} fee.`,
  charge: (wallet: string, most: string) => `${wallet} fee: up to ${most}.`,
  /** Shown above the steps if the customer has already followed them. */
  stepsAgain: 'See again how to send the money',
  otherWay: (service: string) => `Another way: ${service}`,
  qr: (name: string) => `${name} QR code: scan it with the app`,
  copy: 'Copy',
  copied: 'Copied',
  paste: 'Paste',
  /** Shown if the browser does not let scripts copy or paste. */
  hold: 'Your browser does not allow this: press and hold the text, then choose Copy or Paste.',
  theAmount: 'amount',
  idOdd: (example: string) => `An ID usually looks like ${example}. Please check it against the SMS.`,
  /** Shown for digits that are not an id. */
  notAnId: 'This is not a transaction ID. Do not enter a phone number or an amount here, and never your PIN.',
  /** `{}` is replaced by the id that the script found in a pasted text. */
  idFound: 'ID taken from the SMS: {}. Now press the button.',
  hashOdd: 'A hash begins with 0x and has 66 characters. Please check that you have copied all of it.',
  hashFound: 'Transaction hash taken from the text. Now press the button.',
  submitClaim: 'Check my payment',
  busy: 'One moment…',
  offline: 'You are offline. This page updates automatically when the connection is back.',
  unsent: 'Not sent yet: poor connection. We keep trying; please keep this page open.',
  timeOver: 'This payment has expired. If you have already paid, submit this form; please do not pay again.',

  code: {
    /** Name of the card: the code of whichever account is paid by every app. */
    name: 'Any app · Bangla QR',
    stepScan: 'Scan this code with any wallet or bank app.',
    /** On a phone, which cannot scan what it shows. */
    stepSave: 'Save the picture of the code.',
    stepGallery:
      'Open your wallet or bank app, tap “Bangla QR” or “Scan” and choose the picture from the gallery.',
    label: 'Bangla QR code of this payment',
    /** Shown to customers who pay with the phone that displays the code. */
    onThisPhone:
      'Paying with this phone? Save the picture or take a screenshot of it, then open it in your app’s scanner from the gallery.',
    save: 'Save the picture',
    stepCheck: 'Compare this with what the app shows, then confirm with your PIN in the app:',
    byItself: 'Then come back to this page. It updates automatically, usually within a minute.',
    byHand: 'Page not updating? Enter the number that you paid from',
  },
  usdt: {
    /** @param taka the same in taka. @param rate what one USDT is counted for. */
    rate: (taka: string, rate: string) => `${taka} at ${rate} for 1 USDT`,
    askText: 'The amount is calculated when you ask for it, and then reserved for you.',
    askButton: 'Show address and amount',
    stepApp: (app: string) => `In the ${app} app open “Pay” and tap “Send”.`,
    stepUser: 'Choose USDT and enter this in the app:',
    stepUserConfirm: 'Confirm in the app.',
    userWarning:
      'Use “Pay” and USDT only. Another coin or a withdrawal to an address will not be recognised.',
    stepNetwork: (network: string) =>
      `In your wallet or exchange choose to send USDT on the network “${network}”.`,
    stepAddress: 'Send to this address. Exactly this amount must arrive, to the last digit:',
    stepConfirm: 'Confirm, then copy the transaction hash (TxID) that your app shows.',
    addressWarning:
      'Send USDT only, on this network only: anything else is lost. We recognise your payment by the last digits of the amount; if your exchange takes a fee, add it on top.',
    theAddress: 'address',
    addressCode: 'QR code of the address, without amount and network',
  },

  bankIntro: 'From your bank’s app or branch, send the money to this account:',
  bankFields: {
    bank_name: 'Bank',
    holder: 'Account name',
    number: 'Account number',
    branch: 'Branch',
    routing: 'Routing number',
  },
  bankNote: 'If there is a field for a note or reference, write this payment number:',
  referenceLabel: 'After sending, enter the bank’s transaction or reference number',
  referenceHint: 'It is in your bank’s app, in its SMS or on the deposit slip.',
  slipLabel: 'Slip or screenshot (optional)',
  slipHint: 'PNG, JPG or PDF, at most 2 MB.',
  /** Shown next to the form after its file could not be uploaded: the form is sent, and the file after it. */
  slipWithout: 'Send now, the file afterwards',
  /** Once the transfer is known. */
  slipLater: 'Add a slip or screenshot',
  slipTooLarge: 'This file is larger than 2 MB. Please choose a smaller picture or a screenshot.',
  bankReview: (brand: string) => `${brand} will check that the money has arrived. This can take a while.`,
  submitBank: 'Submit',

  waiting: 'Checking your payment',
  /** Shown after a minute of waiting; `waitingLong` after ten. */
  waitingOn: {
    title: 'Your payment is not confirmed yet',
    text: 'It can take a few minutes until we can see the money. This page updates automatically.',
  },
  waitingLong: {
    title: 'Your payment is still not confirmed',
    text: 'Send it to the seller, who will check it personally. You can then close this page.',
  },
  ask: {
    waiting: 'Is everything correct? Send it to the seller. Your order is kept until they have checked it.',
    refused: 'Is everything correct? Send it to the seller, who will check it personally.',
    /** Shown if the payment reference identifies the money. */
    named: 'Send it to the seller, who will check it personally. Please do not send money again.',
    due: 'Amount due',
    note: 'What should the seller know? (optional)',
    hint: 'For example the number that you paid from, and when.',
    send: 'Send it to the seller',
  },
  /** Shown if a claimed id does not have the usual shape of that wallet's ids. */
  oddClaim: (wallet: string) =>
    `This ID looks unusual for ${wallet}. Please compare it with the one in your SMS.`,
  review: {
    fresh: {
      title: 'We have received your details',
      text: 'The seller will check the money and confirm your payment. Please do not send money again.',
    },
    again: {
      title: 'This payment is being checked',
      text: 'The seller is checking the money. Please do not send money again.',
    },
    /** Shown if money came by the QR code, and the number that paid did not decide. */
    byCode: {
      title: 'A payment by Bangla QR has arrived',
      text: 'The seller is checking that it is yours. Please do not send money again.',
    },
    /** Shown if the payment reference identifies the money. */
    named: {
      title: 'Your money has arrived, the seller is checking it',
      text: 'You do not need to do anything. Please do not send money again.',
    },
    /** Shown for a payment that was reported to the shop as failed. */
    late: {
      title: 'The seller is checking it personally',
      text: 'Your details arrived after the payment expired or was cancelled. Please do not send money again. Your order may no longer be reserved: contact the seller and give the payment number.',
    },
    /** Shown next to the other texts if the claim was accepted without its slip. */
    lacksSlip:
      'We could not keep your slip, because too many were sent today. We have received everything else. Keep the slip and show it to the seller if they ask for it.',
  },
  completed: {
    fresh: { title: 'Payment successful', text: 'Thank you! Your money has arrived.' },
    again: {
      title: 'This payment is already complete',
      text: 'The money has arrived. There is no need to send it again.',
    },
  },
  cancelled: {
    title: 'This payment was cancelled',
    text: 'Please do not send money. To order again, start from the seller’s site.',
  },
  expired: {
    title: 'This payment has expired',
    text: 'Please do not send money. To order again, start from the seller’s site.',
  },
  /** Shown if a claim still waits for its money after the payment has expired. */
  expiredKept: {
    text: 'This payment has expired. If your money arrives, the seller will see it and decide. You do not need to enter anything again; please do not send money again.',
    more: 'Your order may no longer be reserved: contact the seller and give the payment number.',
  },
  rejected: {
    title: 'This payment could not be confirmed',
    text: 'The details do not match a payment that we received. If you have paid, contact the seller and give the payment number.',
  },
  unpayable: {
    title: 'This shop cannot take payments right now',
    text: 'Please do not send any money. Contact the seller.',
  },
  /** Texts for a suspended shop's customers who sent money; `suspendedLate` is shown above the forms. */
  suspendedKept: {
    text: 'This shop cannot take payments right now. When it can, we will check your payment automatically. Please do not send money again.',
    more: 'If you cannot wait, contact the seller and give the payment number.',
  },
  suspendedLate: {
    title: 'Already sent the money? Tell us',
    text: 'We save what you enter and check it when this shop can take payments again. Please do not send money now.',
  },
  alreadySent: 'I have already sent the money',
  paidAt: 'Date and time',
  paidBy: 'Paid with',
  paidTo: 'Paid to',
  transactionId: 'Transaction ID',
  bankReference: 'Bank reference',
  paidAmount: 'Amount paid',
  paidFee: 'Fee',
  contact: 'Contact',
  /** A number that counts down follows. */
  goingBack: (brand: string) => `Taking you back to ${brand}…`,
  stay: 'Stay on this page',
  goBack: (brand: string) => `Back to ${brand}`,

  cancelAsk: 'Want to cancel this payment?',
  cancelText: 'If you have already sent the money, do not cancel; tell us in the form above.',
  /** Shown if the page has no field for an id. */
  cancelTextNoForm: 'If you have already sent the money, do not cancel; contact the seller.',
  cancelDo: 'Yes, cancel this payment',

  /** Texts of a payment link: its page, and the payments that it has opened. */
  link: LINK_EN,
  display: DISPLAY_EN,

  questions: 'Questions and answers',
  /** Link to the seller's video; its host follows in brackets. */
  video: 'Video: how to pay',

  help: 'Need help?',
  helpText: 'When you contact us, give this payment number:',
  call: 'Call',
  whatsapp: 'WhatsApp',
  sms: 'SMS',
  email: 'E-mail',

  ...PROBLEMS_EN,

  notices: {
    not_found: {
      title: 'This link was not found',
      text: 'The link is wrong or incomplete. Start again from the seller’s site, or ask the seller for a new link. If you have sent money already, do not send it again: give the seller your transaction ID.',
    },
    form_refused: {
      title: 'Your form was not sent',
      text: 'The page was open for very long, or cookies are off in your browser. Allow cookies, open the page again and retry.',
    },
    too_many_requests: {
      title: 'Please wait a moment',
      text: 'There were too many attempts in a short time. Try again in a minute.',
    },
    day_limit: {
      title: 'Daily limit reached',
      text: 'Too many payments were started here today and not paid. If you have one open, pay it. Otherwise contact the seller, or come back tomorrow.',
    },
    upload_too_large: {
      title: 'This file is too large',
      text: 'A picture or PDF can have at most 2 MB. Try again with a smaller picture or a screenshot.',
    },
    unavailable: {
      title: 'This page cannot be shown right now',
      text: 'Try again in a few minutes. If you have paid, do not pay again; keep the transaction ID.',
    },
  } satisfies Record<Notice, Statement>,
  tryAgain: 'Try again',
};
