/** The checkout page in English, and by it which texts every language has. */
import type { MfsAccountType } from '../../../src/domain/accounts/channels.js';
import type { Disagreement } from '../../../src/domain/matching/matching.js';
import type { Language, Notice } from '../page.js';
import { GIVEN_EN } from './proof-en.js';
import { channelNames, type PlainProblem, type Statement, walletTexts } from './texts.js';

/** What the checkout page says. */
export type Texts = typeof EN;

export const EN = {
  language: 'en' as Language,
  /** The other language, in that language. */
  other: { language: 'bn' as Language, name: 'বাংলা' },
  title: (brand: string) => `${brand}: payment`,
  toPay: 'Amount to pay',
  /** The same after the payment is over, and where the amount differs between methods. */
  amount: 'Amount',
  customer: 'Invoice for',
  paymentNo: 'Payment no.',
  payBefore: (time: string) => `Valid until ${time}`,
  /** @param left minutes or hours, or a ticking clock; the script puts it where `{}` would stand. */
  left: (left: string) => `${left} left`,
  minutes: (count: string) => `${count} min`,
  hours: (count: string) => `${count} h`,
  /** @param hour 0 to 23 of Bangladesh time. @param clock hours of twelve and minutes. */
  timeOfDay: (hour: number, clock: string) => `${clock} ${hour < 12 ? 'am' : 'pm'}`,
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  neverPin: 'This page never asks for your PIN or OTP. Never tell them to anyone.',

  wallets: walletTexts('en'),
  channels: channelNames('en'),

  given: GIVEN_EN,
  choose: {
    title: 'How do you want to pay?',
    text: 'Choose one and follow its steps, then tell us here that you have paid.',
  },
  onlyWay: 'How to pay',
  /** Without script the waiting page reloads itself; this links to one that does not. */
  correctLink: 'Correct it',
  late: (brand: string) => ({
    title: 'Already sent the money? Tell us',
    text: `${brand} will look at it in person. Please do not send money again now.`,
  }),
  feeIncluded: (fee: string) => `fee ${fee} included`,
  stepOpen: (wallet: string, service: string, code: string) =>
    `In the ${wallet} app tap “${service}”, or dial ${code}.`,
  stepNumber: {
    payment: 'Enter this merchant number:',
    personal: 'Enter this number:',
    agent: 'Enter this agent number:',
  } satisfies Record<MfsAccountType, string>,
  stepAmount: 'Enter exactly this amount, not less and not more:',
  stepConfirm: 'Confirm with your own PIN.',
  onlyService: (service: string) => `Use “${service}” only. Money sent in another way will not be matched.`,
  /** Over the steps where somebody has gone through them already. */
  stepsAgain: 'See again how to send the money',
  otherWay: (service: string) => `Another way: ${service}`,
  qr: (name: string) => `${name} QR code: scan it with the app`,
  copy: 'Copy',
  copied: 'Copied',
  theNumber: 'number',
  theAmount: 'amount',
  idOdd: (example: string) => `An ID usually looks like ${example}. Please check it against the SMS.`,
  /** `{}` stands for the id that the script found in a pasted text. */
  idFound: 'We found this ID: {}',
  hashOdd: 'A hash begins with 0x and has 66 characters. Please check that you have copied all of it.',
  hashFound: 'We found a transaction hash in this text.',
  submitClaim: 'Check my payment',
  busy: 'One moment…',
  timeOver: 'The time is over. If you have already paid, still send this form; please do not pay again.',

  code: {
    stepScan: 'Scan this code with the app of your bank or wallet. Any app that reads Bangla QR will do.',
    label: 'Bangla QR code of this payment',
    /** For who pays with the telephone that shows the code. */
    onThisPhone:
      'Paying with this phone? Save the picture or take a screenshot of it, then open it in your app’s scanner from the gallery.',
    save: 'Save the picture',
    stepAmount: 'Check the amount and confirm with your own PIN. If the app asks for the amount, enter:',
    stepWait:
      'Wait a moment: when the bank tells us, this page goes on by itself. If it does not, give us your number:',
  },
  usdt: {
    /** @param taka the same in taka. @param rate what one USDT is counted for. */
    rate: (taka: string, rate: string) => `${taka} at ${rate} for 1 USDT`,
    stepApp: 'In the Binance app open “Pay” and tap “Send”.',
    stepUser: 'Enter this Binance ID:',
    stepUserAmount: 'Choose USDT and enter exactly this amount:',
    stepUserConfirm: 'Confirm in the app.',
    userWarning: 'Use “Pay” and USDT only. Another coin, or a withdrawal to an address, will not be matched.',
    theUser: 'Binance ID',
    stepNetwork: (network: string) =>
      `In your wallet or exchange choose to send USDT on the network “${network}”.`,
    stepAddress: 'Send to this address:',
    stepAmount: 'Exactly this amount must arrive, to the last digit:',
    stepConfirm: 'Confirm, then copy the transaction hash (TxID) that your app shows.',
    addressWarning:
      'Send USDT only, on this network only: anything else is lost. Your payment is recognised by the last digits of the amount; if your exchange takes a fee, add it on top.',
    theAddress: 'address',
    addressCode: 'The address as a QR code. It holds neither amount nor network: enter those yourself',
  },

  bankIntro: 'From your bank’s app or branch, send the money to this account:',
  bankFields: {
    bank_name: 'Bank',
    holder: 'Account name',
    number: 'Account number',
    branch: 'Branch',
    routing: 'Routing number',
    amount: 'Amount',
  },
  bankNote: 'If there is a field for a note or reference, write this payment number:',
  referenceLabel: 'After sending, enter the bank’s transaction or reference number',
  referenceHint: 'It is in your bank’s app, in its SMS or on the deposit slip.',
  slipLabel: 'Slip or screenshot (optional)',
  slipHint: 'PNG, JPG or PDF, at most 2 MB.',
  slipTooLarge: 'This file is larger than 2 MB. Please choose a smaller picture or a screenshot.',
  bankReview: (brand: string) => `${brand} will check that the money has arrived. This can take a while.`,
  submitBank: 'Submit',

  waiting: 'We are looking for your payment',
  /** Of a claimed id that has another shape than that wallet's ids usually have. */
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
    /** Of a payment that the shop knows as failed. */
    late: {
      title: 'The seller is looking at it in person',
      text: 'The details came after the time was over or the payment was cancelled. Please do not send money again. Your order may not be kept any more: contact the seller and give the payment number.',
    },
    /** Beside the others: the claim was taken without its slip. */
    lacksSlip:
      'Your slip could not be kept, because too many were sent today. Everything else was taken. Keep the slip, and show it to the seller if they ask for it.',
  },
  completed: {
    fresh: { title: 'Payment successful', text: 'Thank you! Your money has arrived.' },
    again: {
      title: 'This payment has been made already',
      text: 'The money has arrived. There is no need to send it again.',
    },
  },
  cancelled: {
    title: 'This payment was cancelled',
    text: 'Please send no money for this link. To buy after all, start again from the seller’s site.',
  },
  expired: {
    title: 'The time for this payment is over',
    text: 'Please send no money for this link. To buy after all, start again from the seller’s site.',
  },
  /** The same where something that was given still waits for its money. */
  expiredKept: {
    text: 'The time for this payment is over. When the money shows, the seller will see it and decide. You do not need to enter anything again; please do not send money again.',
    more: 'Your order may not be kept any more: contact the seller and give the payment number.',
  },
  rejected: {
    title: 'This payment could not be confirmed',
    text: 'The details did not fit the money. If you have paid, contact the seller and give the payment number.',
  },
  unpayable: {
    title: 'This shop cannot be paid just now',
    text: 'Please do not send any money. Contact the seller.',
  },
  /** For customers of a suspended shop who have sent money, and above the forms. */
  suspendedKept: {
    text: 'This shop cannot take payments just now. When it can again, your payment is checked by itself. Please do not send money again.',
    more: 'If you cannot wait, contact the seller and give the payment number.',
  },
  suspendedLate: {
    title: 'Already sent the money? Tell us',
    text: 'We save what you enter, and check it when this shop can take payments again. Please send no money now.',
  },
  alreadySent: 'I have already sent the money',
  paidBy: 'Paid with',
  transactionId: 'Transaction ID',
  paidAmount: 'Received',
  paidFee: 'Fee',
  goingBack: (brand: string) => `Taking you back to ${brand}…`,
  goBack: (brand: string) => `Back to ${brand}`,

  cancelAsk: 'Want to cancel this payment?',
  cancelText: 'If you have already sent the money, do not cancel; tell us in the form above.',
  /** The same where the page has no field for an id. */
  cancelTextNoForm: 'If you have already sent the money, do not cancel; contact the seller.',
  cancelDo: 'Yes, cancel this payment',

  help: 'Need help?',
  helpText: 'When you contact us, give this payment number:',
  call: 'Call',
  whatsapp: 'WhatsApp',
  email: 'E-mail',

  /** On top of the page: a link to the field, beside which the rest is said. */
  problemBelow: 'One thing needs your attention: see below',
  noBankReference: 'Enter the bank’s transaction or reference number: 3 to 64 letters and digits.',
  problems: {
    several_references: 'There is more than one ID in this text. Enter only the one of this payment.',
    ask_full_number:
      'These four digits fit more than one number. Enter all 11 digits of the number that you paid from.',
    too_many_attempts:
      'There were too many attempts, so no more can be made. If you have paid, contact the seller.',
    method_unavailable: 'This way to pay is not open any more. Choose another one or contact the seller.',
    over: 'Nothing more can be given in for this payment. If you have paid, contact the seller.',
    slip_unreadable:
      'We could not open this file. Choose a PNG, JPG or PDF, or send the form without a file.',
    slip_too_large:
      'This file is larger than 2 MB. Choose a smaller picture or a screenshot, or send the form without a file.',
    stale_form:
      'This page was open for too long, or your browser gave us no cookie. Press the button again. If it happens again, allow cookies.',
    stale_upload:
      'This page was open for too long, or your browser gave us no cookie. Choose the file again if you want to add one, and press the button again. If it happens again, allow cookies.',
  } satisfies Record<PlainProblem, string>,
  /** Where `ProofTexts` says nothing else. */
  disagrees: {
    recipient:
      'The money of this ID did not come to the number on this page. Check the ID once more. If you sent it to a wrong number, contact the seller.',
    account_type:
      'This money was sent in another way (such as Cash Out instead of Send Money). Do not send it again; contact the seller with the ID.',
    amount:
      'The amount of this ID does not fit this payment. Check the ID once more. If it is right, do not send money again; contact the seller.',
    failed:
      'This transaction failed on the chain: no USDT has moved. Check your wallet, send the amount again and give us the new hash.',
    token:
      'This transaction did not move USDT: another coin, or an imitation. Enter the hash of the right one, or contact the seller.',
    currency:
      'This payment was made in another coin, not in USDT. Do not send it again; contact the seller with the ID.',
    not_incoming:
      'This ID is of something else than a payment to the seller, such as a refund. Enter the ID of this payment.',
    other_payment:
      'This transaction has the amount of somebody else’s payment. Enter the hash of your own. If this is yours, do not send again; contact the seller.',
    time: 'This ID belongs to an older transaction. Enter the ID of the money that you sent for this payment.',
  } satisfies Record<Disagreement, string>,

  notices: {
    not_found: {
      title: 'This link was not found',
      text: 'The link is wrong or incomplete. Start again from the seller’s site, or ask for the link once more.',
    },
    form_refused: {
      title: 'The form was not taken',
      text: 'The page was open for very long, or cookies are off in your browser. Allow cookies, open the page again and retry.',
    },
    too_many_requests: {
      title: 'Please wait a moment',
      text: 'There were many attempts in a short time. Try again in a minute.',
    },
    upload_too_large: {
      title: 'This file is too large',
      text: 'A picture or PDF may have 2 MB at most. Try again with a smaller picture or a screenshot.',
    },
    unavailable: {
      title: 'The page cannot be shown just now',
      text: 'Try again in a little while. If you have paid, do not pay again; keep the transaction ID.',
    },
  } satisfies Record<Notice, Statement>,
  tryAgain: 'Try again',
};
