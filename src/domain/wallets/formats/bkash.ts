/** bKash texts that add money to the wallet. Data only; shapes are public, every value is invented. */
import type { Format } from '../format.js';

/** End of nearly all texts, after payer and reference. The space before TrxID is missing in some. */
const END = 'Fee {fee}. Balance {balance}.[ ]TrxID {id} at {date}[.]{tail}';

export const BKASH_CREDITS: readonly Format[] = [
  {
    id: 'bkash-received',
    kind: 'received',
    settle: 'auto',
    texts: [`You have received {amount} from {payer}.[[ ]Ref {ref}.] ${END}`],
    examples: [
      {
        text: 'You have received Tk 1,325.00 from 01911000001. Fee Tk 0.00. Balance Tk 2,731.19. TrxID DHL60302ZX at 21/08/2026 12:35',
        values: {
          amount: '1325.00',
          fee: '0.00',
          balance: '2731.19',
          from: '01911000001',
          trx_id: 'DHL60302ZX',
          at: '2026-08-21T12:35:00+06:00',
        },
      },
      {
        text: 'You have received Tk 500.00 from 01611000018.Ref exam fee. Fee Tk 0.00. Balance Tk 940.90. TrxID DHB98JQKTT at 11/08/2026 14:25.',
        values: {
          amount: '500.00',
          fee: '0.00',
          balance: '940.90',
          from: '01611000018',
          trx_id: 'DHB98JQKTT',
          at: '2026-08-11T14:25:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-received-npsb',
    kind: 'received',
    settle: 'auto',
    texts: [`You have received {amount} from {wallet} {payer} through NPSB. ${END}`],
    examples: [
      {
        text: 'You have received Tk 50.00 from Nagad 0130XXX0011 through NPSB. Fee Tk 0.00. Balance Tk 333.75. TrxID DH31Y2FNW8 at 03/08/2026 23:25.',
        values: {
          amount: '50.00',
          fee: '0.00',
          balance: '333.75',
          from: '0130XXX0011',
          trx_id: 'DH31Y2FNW8',
          at: '2026-08-03T23:25:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-cash-in',
    kind: 'cash_in',
    settle: 'auto',
    texts: [`Cash In {amount} from {payer} successful. ${END}`],
    examples: [
      {
        text: 'Cash In Tk 1,000.00 from 01811000024 successful. Fee Tk 0.00. Balance Tk 6,017.98. TrxID CK77WZ3JBD at 07/11/2025 22:21. Download App: https://bKa.sh/8app',
        values: {
          amount: '1000.00',
          fee: '0.00',
          balance: '6017.98',
          from: '01811000024',
          trx_id: 'CK77WZ3JBD',
          at: '2025-11-07T22:21:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-payment-received',
    kind: 'payment_received',
    settle: 'auto',
    texts: [`You have received payment {amount} from {payer}.[[ ]Ref {ref}.][ Counter {counter}.] ${END}`],
    examples: [
      {
        text: 'You have received payment Tk 500.00 from 01811000032. Ref 23154. Counter 1. Fee Tk 0.00. Balance Tk 8,647.92.TrxID DAM490VYFC at 22/01/2026 01:54',
        values: {
          amount: '500.00',
          fee: '0.00',
          balance: '8647.92',
          from: '01811000032',
          trx_id: 'DAM490VYFC',
          at: '2026-01-22T01:54:00+06:00',
        },
      },
    ],
  },
  {
    // "from" makes it the agent's; with "to" it is the customer's own and goes out.
    id: 'bkash-cash-out-received',
    kind: 'cash_out_received',
    settle: 'auto',
    texts: [`Cash Out {amount} from {payer} successful. ${END}`],
    examples: [
      {
        text: 'Cash Out Tk 785.00 from 01811000040 successful. Fee Tk 0.00. Balance Tk 260,604.57. TrxID AA26JRRRKN at 02/01/2023 22:05',
        values: {
          amount: '785.00',
          fee: '0.00',
          balance: '260604.57',
          from: '01811000040',
          trx_id: 'AA26JRRRKN',
          at: '2023-01-02T22:05:00+06:00',
        },
      },
    ],
  },
  {
    // Known from code and invented tests only.
    id: 'bkash-cash-out-received-commission',
    kind: 'cash_out_received',
    settle: 'review',
    texts: [
      'Cash Out {amount} from {payer} successful. Fee {fee}. Comm {comm}. Balance {balance}.[ ]TrxID {id} at {date}[.]{tail}',
    ],
    examples: [
      {
        text: 'Cash Out Tk 500.00 from 01711000041 successful. Fee Tk 0.00. Comm Tk 2.05. Balance Tk 900.00. TrxID DHU7G09828 at 30/08/2026 11:11',
        values: {
          amount: '500.00',
          fee: '0.00',
          balance: '900.00',
          from: '01711000041',
          trx_id: 'DHU7G09828',
          at: '2026-08-30T11:11:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-b2b',
    kind: 'b2b_received',
    settle: 'review',
    texts: [
      'You have received B2B {amount} from {payer}.[ Fee {fee}.] Balance {balance}.[ ]TrxID {id} at {date}[.]{tail}',
    ],
    examples: [
      {
        text: 'You have received B2B Tk 50,000.00 from 01911000043. Balance Tk 89,329.40. TrxID DIJ6GZ5GCZ at 19/09/2026 11:00',
        values: {
          amount: '50000.00',
          balance: '89329.40',
          from: '01911000043',
          trx_id: 'DIJ6GZ5GCZ',
          at: '2026-09-19T11:00:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-gift',
    kind: 'bonus',
    settle: 'never',
    texts: [
      'You have received {amount} [as Commission ]from {name:gift}.[ Fee {fee}.] Balance {balance}. TrxID {id} at {date}[.]{tail}',
    ],
    examples: [
      {
        text: 'You have received Tk 5.00 from DM0000. Fee Tk 0.00. Balance Tk 1,483.00. TrxID AB90ENJSDA at 09/02/2023 20:42. Cashback on Special Offer Send Money',
        values: {
          amount: '5.00',
          fee: '0.00',
          balance: '1483.00',
          from: 'DM0000',
          trx_id: 'AB90ENJSDA',
          at: '2023-02-09T20:42:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-add-money',
    kind: 'add_money',
    settle: 'review',
    isWeak: true,
    texts: [
      `You have received deposit from iBanking of {amount} from {name}. ${END}`,
      `You have received [a ]deposit of {amount} from {name}. ${END}`,
    ],
    examples: [
      {
        text: 'You have received deposit from iBanking of Tk 2,600.00 from Eastern Bank PLC. Internet Banking. Fee Tk 0.00. Balance Tk 3,176.85. TrxID DIL7NOVZ7D at 21/09/2026 20:26',
        values: {
          amount: '2600.00',
          fee: '0.00',
          balance: '3176.85',
          from: 'Eastern Bank PLC. Internet Banking',
          trx_id: 'DIL7NOVZ7D',
          at: '2026-09-21T20:26:00+06:00',
        },
      },
    ],
  },
  {
    // After the others: a business pays out under its name, and there is no number to match.
    id: 'bkash-received-name',
    kind: 'received',
    settle: 'review',
    texts: [
      'You have received {amount} from {name}.[ Fee {fee}.] Balance {balance}.[ ]TrxID {id} at {date}[.]{tail}',
    ],
    examples: [
      {
        text: 'You have received Tk 63.00 from ExampleWeb. Balance Tk 4,315.28. TrxID DE985AM87S at 09/05/2026 21:32',
        values: {
          amount: '63.00',
          balance: '4315.28',
          from: 'ExampleWeb',
          trx_id: 'DE985AM87S',
          at: '2026-05-09T21:32:00+06:00',
        },
      },
    ],
  },
];

const STAMP = 'TrxID {id} at {date}[.]{tail}';

export const BKASH_OTHERS: readonly Format[] = [
  {
    id: 'bkash-cashback',
    kind: 'bonus',
    settle: 'never',
    texts: [
      `[Congratulations! ]You have received Cashback {amount}.[ Fee {fee}.] Balance {balance}. ${STAMP}`,
      `Apni bKash-e {amount} Interest peyechhen. Fee {fee}. Balance {balance}. ${STAMP}`,
    ],
    examples: [
      {
        text: 'Congratulations! You have received Cashback Tk 2.90. Balance Tk 1,483.26. TrxID DEQ1T9HJ1I at 26/05/2026 13:10. Cashback for Send Money!',
        values: {
          amount: '2.90',
          balance: '1483.26',
          trx_id: 'DEQ1T9HJ1I',
          at: '2026-05-26T13:10:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-remittance',
    kind: 'remittance',
    settle: 'never',
    texts: [
      `You have received remittance. Total: {amount}[ Govt. incentive: {comm}] ${STAMP}`,
      `Remittance fund withdrawal from {name} account is successful. Total amount {amount} ${STAMP}`,
    ],
    examples: [
      {
        text: 'You have received remittance.\nTotal: Tk 4,105.13\nGovt. incentive: Tk 100.13\nTrxID CJ50F6L0F6 at 05/10/2025 17:56.',
        values: { amount: '4105.13', trx_id: 'CJ50F6L0F6', at: '2025-10-05T17:56:00+06:00' },
      },
    ],
  },
  {
    id: 'bkash-loan',
    kind: 'loan',
    settle: 'never',
    texts: [`You have received Digital Loan {amount} from {name}. Balance {balance}. ${STAMP}`],
    examples: [
      {
        text: 'You have received Digital Loan Tk 900.00 from City Bank. Balance Tk 943.50. TrxID DHV6BC3SZ3 at 31/08/2026 19:00.',
        values: {
          amount: '900.00',
          balance: '943.50',
          from: 'City Bank',
          trx_id: 'DHV6BC3SZ3',
          at: '2026-08-31T19:00:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-refund',
    kind: 'refund',
    settle: 'never',
    texts: [
      `Reserved amount {amount} for {name} has been released. Balance {balance}. ${STAMP}`,
      `Mobile Recharge request has failed. {amount} returned to your bKash Account. Balance {balance}. ${STAMP}`,
    ],
    examples: [
      {
        text: 'Reserved amount Tk 385.47 for Example Ride Ltd has been released. Balance Tk 891.99. TrxID AHA9Z8YZ0B at 10/08/2023 17:37',
        values: {
          amount: '385.47',
          balance: '891.99',
          from: 'Example Ride Ltd',
          trx_id: 'AHA9Z8YZ0B',
          at: '2023-08-10T17:37:00+06:00',
        },
      },
    ],
  },
  {
    // The second is a merchant account's.
    id: 'bkash-sent-to-customer',
    kind: 'outgoing',
    settle: 'never',
    texts: [
      `Send Money {amount} to {payee} successful.[[ ]Ref {ref}.] Fee {fee}. Balance {balance}. ${STAMP}`,
      `Refund of {amount} to {payee} is successful.[ Fee {fee}.] Balance {balance}. ${STAMP}`,
    ],
    examples: [
      {
        text: 'Send Money Tk 510.00 to 01911000046 successful. Ref rent. Fee Tk 5.00. Balance Tk 8,000.00. TrxID DC24TLV5JX at 02/03/2026 15:14',
        values: {
          amount: '510.00',
          fee: '5.00',
          balance: '8000.00',
          to: '01911000046',
          trx_id: 'DC24TLV5JX',
          at: '2026-03-02T15:14:00+06:00',
        },
      },
      {
        text: 'Refund of Tk 250.00 to 01711000094 is successful. Balance Tk 1,345.00. TrxID DAS41A2RKS at 28/01/2026 17:03',
        values: {
          amount: '250.00',
          balance: '1345.00',
          to: '01711000094',
          trx_id: 'DAS41A2RKS',
          at: '2026-01-28T17:03:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-sent',
    kind: 'outgoing',
    settle: 'never',
    texts: [
      `(Send Money|Cash Out|Cash In) {amount} to {to} successful. Fee {fee}.[ Comm {comm}.] Balance {balance}. ${STAMP}`,
      `ATM Cash Out {amount} successful. Fee {fee}. Balance {balance}. ${STAMP}`,
      `B2B Transfer {amount} to {to} successful.[ Fee {fee}.] Balance {balance}. ${STAMP}`,
      `bKash to Bank {skip}{amount}{skip}[ Fee {fee}.] Balance {balance}. ${STAMP}`,
    ],
    examples: [
      {
        text: 'Cash Out Tk 500.00 to 01511000051 successful. Fee Tk 9.25. Balance Tk 23,809.21. TrxID DI11HOKPRR at 01/09/2026 20:18.Priyo Cash Out at 13.95/thousand',
        values: {
          amount: '500.00',
          fee: '9.25',
          balance: '23809.21',
          trx_id: 'DI11HOKPRR',
          at: '2026-09-01T20:18:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-paid',
    kind: 'outgoing',
    settle: 'never',
    texts: [
      `[Congratulations! ](Payment|DPS Payment|Savings Deposit Payment) [of ]{amount} to {to} [is ]successful.[ Ref {ref}.][ Counter {counter}.][ Fee {fee}.] Balance {balance}. ${STAMP}`,
      `Your Digital Loan Repayment of {amount} is successful. Balance {balance}. ${STAMP}`,
      `Received Recharge request of {amount} for {to}.[ Fee {fee}.] Balance {balance}. ${STAMP}`,
      'Bill successfully paid. Biller: {to} {skip} {skip} Amount: {amount} Fee: {fee} TrxID: {id} at {date}[.]{tail}',
    ],
    examples: [
      {
        text: 'Received Recharge request of Tk 39.00 for 01711000044. Fee Tk 0.00. Balance Tk 61.20. TrxID DHL2T9HJ1I at 21/08/2026 13:10. Wait for confirmation.',
        values: {
          amount: '39.00',
          fee: '0.00',
          balance: '61.20',
          trx_id: 'DHL2T9HJ1I',
          at: '2026-08-21T13:10:00+06:00',
        },
      },
      {
        text: 'Bill successfully paid.\nBiller: ExampleOnline\nMMYYYY/Contact: 072026\nA/C: 10030041\nAmount: Tk 525.00\nFee: Tk 0.00\nTrxID: DHP0QNEK65 at 25/08/2026 09:46',
        values: { amount: '525.00', fee: '0.00', trx_id: 'DHP0QNEK65', at: '2026-08-25T09:46:00+06:00' },
      },
    ],
  },
  {
    // The completion comes later under the same id.
    id: 'bkash-reserved',
    kind: 'pending',
    settle: 'never',
    texts: [`Payment of {amount} is being reserved for {to}. Balance {balance}. ${STAMP}`],
    examples: [
      {
        text: 'Payment of Tk 564.11 is being reserved for Example Ride Ltd. Balance Tk 211.97. TrxID DHA0LE41LG at 10/08/2026 18:05',
        values: {
          amount: '564.11',
          balance: '211.97',
          trx_id: 'DHA0LE41LG',
          at: '2026-08-10T18:05:00+06:00',
        },
      },
    ],
  },
  {
    id: 'bkash-failed',
    kind: 'failed',
    settle: 'never',
    texts: [
      `Your Recharge request of {amount} for {to} was unsuccessful. ${STAMP}`,
      'Sorry, your Send Money request to {to} is unsuccessful! {amount} has been returned.{tail}',
    ],
    examples: [
      {
        text: 'Your Recharge request of Tk 22.00 for 01511000045 was unsuccessful. TrxID DIM58TIKWW at 22/09/2026 20:38.',
        values: { amount: '22.00', trx_id: 'DIM58TIKWW', at: '2026-09-22T20:38:00+06:00' },
      },
    ],
  },
  {
    // They begin like money received; the money has not come, or another text has reported it.
    id: 'bkash-notice',
    kind: 'notice',
    settle: 'never',
    texts: [
      'You have received Loan of {skip} in your bKash Account.{tail}',
      '{skip} has been sent from {skip}. To receive the money, {tail}',
    ],
    examples: [
      {
        text: 'Tk 200.00 has been sent from 01811000052. To receive the money, open Account from bKash App within 31/05/2024 11:11. Download App: https://bka.sh/smnewreg',
        values: {},
      },
    ],
  },
  {
    id: 'bkash-recharge-notice',
    kind: 'notice',
    settle: 'never',
    texts: ['Your bKash Mobile Recharge request of {amount} for {to} was successful.{tail}'],
    examples: [
      {
        text: 'Your bKash Mobile Recharge request of Tk 500.00 for ending 1234 was successful. Use bKash App for convenience & offers! TCA',
        values: { amount: '500.00' },
      },
    ],
  },
];
