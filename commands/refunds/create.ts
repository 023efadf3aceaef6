/** `kashbox refunds create` */
import { takaField } from '../../src/actions/input/fields.js';
import { createRefund } from '../../src/actions/refunds/create-refund.js';
import { command } from '../../src/cli/command/define.js';
import { noteFlag, oneWord, text } from '../../src/cli/command/flags.js';
import { refundSheet } from '../../src/cli/text/refund-text.js';

export default command({
  summary: 'Send the money of a payment back.',
  description:
    'Prints the number, the sum and the app for the transfer. Kashbox moves no money: send it with your ' +
    'phone. The SMS of the transfer completes the refund, and the shop is notified. The money goes back to ' +
    'the number that paid; --number completes one that the proof shows only in part. Without --amount it is ' +
    'what was paid without fees. Also for parts of a failed payment, and for money that paid for nothing, ' +
    'which nobody can claim from then on. Exit code 4: more than was paid, open, disputed or under review.',
  examples: [
    '$ K7Q2M9XW4TZB --note "Out of stock"',
    '$ K7Q2M9XW4TZB --amount 120 --note "One shirt came back"',
    '$ DKQ4TW1CE2 --note "Paid twice"',
    '$ K7Q2M9XW4TZB --number 01712345268 --note "Out of stock"',
  ],
  ofPayments: true,
  args: {
    payment: oneWord('Payment ID or number, transaction ID of money, or ID of its SMS.', { kind: 'payment' }),
  },
  flags: {
    amount: text('TAKA', 'Taka to send back (default: what was paid without fees).', { kind: 'digits' }),
    note: noteFlag,
    number: text('NUMBER', 'Number or address of the customer, if the proof does not show it.', {
      kind: 'digits',
    }),
  },
  async run({ cli, args, flags: { amount, note, number, ...flags } }) {
    const amountPaisa = amount === undefined ? undefined : takaField(amount);
    const input = { of: args.payment, amountPaisa, note, number, who: cli.who };
    const refunds = await createRefund(await cli.core(), input);
    cli.show(refunds, flags, (views) =>
      views.flatMap((view, at) => [...(at === 0 ? [] : ['']), ...refundSheet(view)]),
    );
  },
});
