/** The display at a counter, in English: what a cashier presses and a customer scans. */
export const DISPLAY_EN = {
  title: (brand: string) => `${brand}: counter`,
  amount: 'Amount in taka',
  show: 'Show code',
  erase: 'Delete the last digit',
  fullScreen: 'Full screen',
  mute: 'Mute',
  scan: 'Scan with any wallet or bank app',
  codeOf: (amount: string) => `Bangla QR code for ${amount}`,
  reference: 'Reference',
  cancel: 'Cancel',
  digits: 'Not confirmed? Enter the number that paid',
  digitsGo: 'Check',
  looking: (number: string) => `Looking for the payment from ${number}.`,
  /** Without any code: where the money can be sent, and what the shop can do. */
  noCode: {
    title: 'No QR code is set up',
    send: 'Send the money by Send Money, with the reference:',
    text: 'For the shop: set up a Bangla QR, and this display shows one code for every app.',
  },
  paid: 'Paid',
  /** @param end last four digits of a number. */
  paidFrom: (end: string) => `from •••${end}`,
  next: 'Next customer',
  review: {
    title: 'The shop must check this payment',
    text: 'Money may have arrived. See it with the shop’s phone or program before you hand over the goods.',
  },
  expired: { title: 'The time is over', text: 'No money has arrived. Show the amount again.' },
  cancelled: { title: 'Cancelled', text: 'No money has arrived.' },
  noScript: 'JavaScript is off: this page is not live and makes no sound. It looks again every 8 seconds.',
};
