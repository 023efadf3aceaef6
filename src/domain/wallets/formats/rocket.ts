/**
 * Formats of Rocket texts. Data only; the shapes are public, every value is invented. Rocket shares its
 * number 16216 with its bank, so a text from that sender is from Rocket only if one of these formats matches.
 */
import type { Format } from '../format.js';

const STAMP = '(.|. | )(TxnId|TxnID):[ ]{id} Date:[ ]{date:named}[.]{tail}';

export const ROCKET_FORMATS: readonly Format[] = [
  {
    id: 'rocket-received',
    kind: 'received',
    settle: 'auto',
    texts: [
      `{amount} received from A/C:[ ]{payer} Fee:[ ]{fee}, Your A/C Balance:[ ]{balance}${STAMP}`,
      '{amount} received from {wallet} A/C[:] {payer} through NPSB. Fee:[ ]{fee}. Your A/C Balance:[ ]{balance}. (TxnId|TxnID):[ ]{id} at {date:named}[.]{tail}',
    ],
    examples: [
      {
        text: 'Tk480.00 received from A/C:***268 Fee:Tk0, Your A/C Balance: Tk30,828.29 TxnId:6794927502 Date:31-JUL-26 04:50:30 pm. Download https://bit.ly/nexuspay',
        values: {
          amount: '480.00',
          fee: '0.00',
          balance: '30828.29',
          from: '***268',
          trx_id: '6794927502',
          at: '2026-07-31T16:50:30+06:00',
        },
      },
      {
        text: 'Tk 50.00 received from bKash A/C ***158 through NPSB. Fee: Tk .00. Your A/C Balance: Tk 53.86. TxnID:6806132101 at 03-AUG-26 11:00:07 pm.',
        values: {
          amount: '50.00',
          fee: '0.00',
          balance: '53.86',
          from: '***158',
          trx_id: '6806132101',
          at: '2026-08-03T23:00:07+06:00',
        },
      },
    ],
  },
  {
    id: 'rocket-payment-received',
    kind: 'payment_received',
    settle: 'auto',
    texts: [`{amount} received from A/C:[ ]{payer} Ref No:[ ]{ref} Fee:[ ]{fee} NetBal:[ ]{balance}${STAMP}`],
    examples: [
      {
        text: 'Tk.20.00 received from A/C:***448 Ref No: NA Fee: Tk.00 NetBal: Tk56.00 TxnId: 6026670632 Date:27-DEC-25 07:17:16 pm.',
        values: {
          amount: '20.00',
          fee: '0.00',
          balance: '56.00',
          from: '***448',
          trx_id: '6026670632',
          at: '2025-12-27T19:17:16+06:00',
        },
      },
    ],
  },
  {
    id: 'rocket-cash-in',
    kind: 'cash_in',
    settle: 'auto',
    texts: [`Cash-In from A/C:[ ]{payer} {amount} Fee:[ ]{fee}, Your A/C Balance:[ ]{balance}${STAMP}`],
    examples: [
      {
        text: 'Cash-In from A/C: ***219 Tk26,900.00 Fee: Tk.00, Your A/C Balance: Tk46,858.38.TxnId:6687705385 Date:01-JUL-26 04:11:32 pm. Download https://bit.ly/nexuspay',
        values: {
          amount: '26900.00',
          fee: '0.00',
          balance: '46858.38',
          from: '***219',
          trx_id: '6687705385',
          at: '2026-07-01T16:11:32+06:00',
        },
      },
    ],
  },
  {
    // "from" makes it the agent's; with "to" it is the customer's own and goes out.
    id: 'rocket-cash-out-received',
    kind: 'cash_out_received',
    settle: 'auto',
    texts: [`[B2C: ]Cash-Out from A/C:[ ]{payer} {amount} Comm:[ ]{comm}; A/C Balance:[ ]{balance}${STAMP}`],
    examples: [
      {
        text: 'B2C: Cash-Out from A/C: 013111000933 Tk200.00 Comm:Tk.84; A/C Balance: Tk3,251.03.TxnId: 2263628821 Date:21-APR-21 02:29:23 pm. Download https://bit.ly/nexuspay',
        values: {
          amount: '200.00',
          balance: '3251.03',
          from: '013111000933',
          trx_id: '2263628821',
          at: '2021-04-21T14:29:23+06:00',
        },
      },
    ],
  },
  {
    id: 'rocket-b2b',
    kind: 'b2b_received',
    settle: 'review',
    texts: [
      `B2B: Cash-In from A/C:[ ]{payer} {amount}(,| )[ Fee:[ ]{fee},][ ]Your A/C Balance:[ ]{balance}${STAMP}`,
    ],
    examples: [
      {
        text: 'B2B: Cash-In from A/C: 018111000956 Tk5,000.00, Your A/C Balance: Tk7,392.19.TxnId: 3570222955 Date:02-MAR-23 12:00:09 pm.',
        values: {
          amount: '5000.00',
          balance: '7392.19',
          from: '018111000956',
          trx_id: '3570222955',
          at: '2023-03-02T12:00:09+06:00',
        },
      },
    ],
  },
  {
    id: 'rocket-from-bank',
    kind: 'add_money',
    settle: 'review',
    isWeak: true,
    texts: [
      `{amount} received from Other Bank A/C:[ ]{payer} Fee:[ ]{fee} NetBal:[ ]{balance}${STAMP}`,
      `{amount} credited from card {payer}. {skip}NetBal:[ ]{balance}${STAMP}`,
    ],
    examples: [
      {
        text: 'Tk10,000.00 received from Other Bank A/C:***00001 Fee:Tk.00 NetBal:Tk10,735.00 TxnId:3797113433 Date:05-JUN-23 02:11:05 pm.',
        values: {
          amount: '10000.00',
          fee: '0.00',
          balance: '10735.00',
          from: '***00001',
          trx_id: '3797113433',
          at: '2023-06-05T14:11:05+06:00',
        },
      },
    ],
  },
  {
    // Paid by a stranger's card or QR; only parts of such texts were seen.
    id: 'rocket-from-card',
    kind: 'payment_received',
    settle: 'review',
    isWeak: true,
    texts: [`{amount} received from Ac./Card:[ ]{payer} Fee:[ ]{fee} NetBal:[ ]{balance}${STAMP}`],
    examples: [
      {
        text: 'Tk1,400.01 received from Ac./Card:017****0001 Fee: Tk.00 NetBal: Tk7,595.17 TxnId: 6922428405 Date:05-SEP-26 11:30:00 am.',
        values: {
          amount: '1400.01',
          fee: '0.00',
          balance: '7595.17',
          from: '017****0001',
          trx_id: '6922428405',
          at: '2026-09-05T11:30:00+06:00',
        },
      },
    ],
  },
  {
    id: 'rocket-sent-to-customer',
    kind: 'outgoing',
    settle: 'never',
    texts: [`{amount} transferred to A/C:[ ]{payee} Fee:[ ]{fee}, Your A/C Balance:[ ]{balance}${STAMP}`],
    examples: [
      {
        text: 'Tk12,300.00 transferred to A/C:**783 Fee:Tk5, Your A/C Balance: Tk608.34 TxnId:6940650051 Date:10-SEP-26 03:28:02 pm.',
        values: {
          amount: '12300.00',
          fee: '5.00',
          balance: '608.34',
          to: '**783',
          trx_id: '6940650051',
          at: '2026-09-10T15:28:02+06:00',
        },
      },
    ],
  },
  {
    id: 'rocket-sent',
    kind: 'outgoing',
    settle: 'never',
    texts: [
      'Cash-Out to A/C:[ ]{to}[ ]{amount}[ ]Fee:[ ]{fee}[,] Your A/C Balance:[ ]{balance}(.|. | )TxnId:[ ]{id}[ ]Date:[ ]{date:named}[.]{tail}',
      `(B2C: Cash-In|B2B: Cash-Out) to A/C:[ ]{to} {amount}[ Comm:[ ]{comm};], Your A/C Balance:[ ]{balance}${STAMP}`,
      `{amount} (paid|recharged|transferred) (through|to|at|for) {skip}. NetBal:[ ]{balance}${STAMP}`,
    ],
    examples: [
      {
        text: "Tk430.00 paid through e-Commerce gateway. NetBal: Tk335.00 TxnId: 1737554310 Date:28-APR-20 12:05:33 am. Don't share your PIN with anybody",
        values: {
          amount: '430.00',
          balance: '335.00',
          trx_id: '1737554310',
          at: '2020-04-28T00:05:33+06:00',
        },
      },
    ],
  },
];
