/** Upay texts. Data only; shapes are public, every value is invented. */
import type { Format } from '../format.js';

const END = 'Balance {balance}. TrxID {id} at {date}[.]{tail}';

export const UPAY_FORMATS: readonly Format[] = [
  {
    id: 'upay-received',
    kind: 'received',
    settle: 'auto',
    texts: [`{amount} has been received from {payer}.[ Ref-{ref}.] ${END}`],
    examples: [
      {
        text: 'Tk. 1500.00 has been received from 01711000102. Ref-INV 22. Balance Tk. 4977.68. TrxID 01KGGM5VJG at 03/02/2026 08:09.',
        values: {
          amount: '1500.00',
          balance: '4977.68',
          from: '01711000102',
          trx_id: '01KGGM5VJG',
          at: '2026-02-03T08:09:00+06:00',
        },
      },
    ],
  },
  {
    id: 'upay-payment-received',
    kind: 'payment_received',
    settle: 'auto',
    texts: [`Received Payment of {amount} from {payer}. ${END}`],
    examples: [
      {
        text: 'Received Payment of Tk.1.00 from 01711000104. Balance Tk. 786.31. TrxID 01M3V64JZ3 at 01/10/2026 13:33.',
        values: {
          amount: '1.00',
          balance: '786.31',
          from: '01711000104',
          trx_id: '01M3V64JZ3',
          at: '2026-10-01T13:33:00+06:00',
        },
      },
    ],
  },
  {
    id: 'upay-cash-out-received',
    kind: 'cash_out_received',
    settle: 'auto',
    texts: [`You have received Cash-out of {amount} from {payer}. Comm: {comm}. ${END}`],
    examples: [
      {
        text: 'You have received Cash-out of Tk. 3940.00 from 01911000105. Comm: TK. 16.1343. Balance Tk. 7105.05. TrxID 01JYG4EPH3 at 24/06/2025 10:52.',
        values: {
          amount: '3940.00',
          balance: '7105.05',
          from: '01911000105',
          trx_id: '01JYG4EPH3',
          at: '2025-06-24T10:52:00+06:00',
        },
      },
    ],
  },
  {
    id: 'upay-b2b',
    kind: 'b2b_received',
    settle: 'review',
    texts: [`B2B Received of {amount} from {payer} is successful. ${END}`],
    examples: [
      {
        text: 'B2B Received of Tk. 5000.00 from 01711000110 is successful. Balance Tk. 61617.54. TrxID 01JYJH4QCK at 25/06/2025 09:12.',
        values: {
          amount: '5000.00',
          balance: '61617.54',
          from: '01711000110',
          trx_id: '01JYJH4QCK',
          at: '2025-06-25T09:12:00+06:00',
        },
      },
    ],
  },
  {
    // A name where the payer should stand: a bank, or somebody who cannot be told.
    id: 'upay-add-money',
    kind: 'add_money',
    settle: 'review',
    isWeak: true,
    texts: [`{amount} has been received from {name}. ${END}`],
    examples: [
      {
        text: 'Tk.150.00 has been received from BRAC Bank Limited. Balance Tk. 881.92. TrxID 01K6MZZF0R at 03/10/2025 18:15.',
        values: {
          amount: '150.00',
          balance: '881.92',
          from: 'BRAC Bank Limited',
          trx_id: '01K6MZZF0R',
          at: '2025-10-03T18:15:00+06:00',
        },
      },
    ],
  },
  {
    // No such text is public: its words are those of money received, as the other way of the same transfer.
    id: 'upay-sent-to-customer',
    kind: 'outgoing',
    settle: 'never',
    texts: [
      `{amount} has been sent to {payee}.[ Ref-{ref}.] Fee {fee}. ${END}`,
      `{amount} has been sent to {payee}.[ Ref-{ref}.] ${END}`,
    ],
    examples: [
      {
        text: 'Tk. 1000.00 has been sent to 01711000112. Ref-. Fee Tk. 5.00. Balance Tk. 683.18. TrxID 01KWZQ1NBH at 08/07/2026 07:56.',
        values: {
          amount: '1000.00',
          fee: '5.00',
          balance: '683.18',
          to: '01711000112',
          trx_id: '01KWZQ1NBH',
          at: '2026-07-08T07:56:00+06:00',
        },
      },
    ],
  },
  {
    id: 'upay-sent',
    kind: 'outgoing',
    settle: 'never',
    texts: [`(Cash-in|Cash-out|B2B) of {amount} to {to} is successful.[ Comm: {comm}.][ Fee {fee}.] ${END}`],
    examples: [
      {
        text: 'Cash-in of Tk. 1000.00 to 01311000109 is successful. Comm: TK. 4.10. Balance Tk. 8683.18. TrxID 01JYJGKD5T at 25/06/2025 09:02.',
        values: {
          amount: '1000.00',
          balance: '8683.18',
          trx_id: '01JYJGKD5T',
          at: '2025-06-25T09:02:00+06:00',
        },
      },
    ],
  },
];
