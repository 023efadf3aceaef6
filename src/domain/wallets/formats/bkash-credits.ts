/** bKash texts that add money to the wallet. Data only; shapes are public, every value is invented. */
import type { Format } from '../format.js';

/** What follows payer and reference in nearly all of them. The space before TrxID is missing in some. */
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
