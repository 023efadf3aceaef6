/**
 * Nagad texts. Data only; shapes are public, every value is invented. One label a line on the handset;
 * forwarders join the lines with a space, or with nothing. The first line decides: "Received" is money in.
 */
import type { Format } from '../format.js';

const LAST = '(TxnID|TxnId):[ ]{id}[ Comm:[ ]{comm}] (Balance|Bal):[ ]{balance:maybe} {date}[.]{tail}';
const GLUED_LAST = 'TxnID:[ ]{id}[Comm:[ ]{comm}]Balance:[ ]{balance:cents}{date}[.]{tail}';

export const NAGAD_FORMATS: readonly Format[] = [
  {
    id: 'nagad-received',
    kind: 'received',
    settle: 'auto',
    texts: [
      `Money Received. (Amount|Amt):[ ]{amount} Sender:[ ]{payer}[ Ref:[ ]{ref}] ${LAST}`,
      `{head} Money Received. (Amount|Amt):[ ]{amount} Sender:[ ]{payer}[ Ref:[ ]{ref}] ${LAST}`,
    ],
    examples: [
      {
        text: 'Money Received.\nAmount: Tk 99.00\nSender: 01811000061\nRef: Hello\nTxnID: 752PYX14\nBalance: Tk 1101.60\n08/06/2026 19:00',
        values: {
          amount: '99.00',
          balance: '1101.60',
          from: '01811000061',
          trx_id: '752PYX14',
          at: '2026-06-08T19:00:00+06:00',
        },
      },
    ],
  },
  {
    // Nothing parts the payer's own words from the label that follows them.
    id: 'nagad-received-glued',
    kind: 'received',
    settle: 'review',
    texts: [`Money Received.Amount:[ ]{amount:cents}Sender:[ ]{payer}[Ref:[ ]{ref}]${GLUED_LAST}`],
    examples: [
      {
        text: 'Money Received.Amount: Tk 1250.50Sender: 01511000174Ref: N/ATxnID: 75S71LPDBalance: Tk 8431.2506/02/2026 00:16',
        values: {
          amount: '1250.50',
          balance: '8431.25',
          from: '01511000174',
          trx_id: '75S71LPD',
          at: '2026-02-06T00:16:00+06:00',
        },
      },
    ],
  },
  {
    id: 'nagad-cash-in',
    kind: 'cash_in',
    settle: 'auto',
    texts: [
      `Cash In Received. (Amount|Amt):[ ]{amount} Uddokta:[ ]{payer} ${LAST}`,
      `{head} Cash In Received. (Amount|Amt):[ ]{amount} Uddokta:[ ]{payer} ${LAST}`,
      `Cash In Received.Amount:[ ]{amount:cents}Uddokta:[ ]{payer}${GLUED_LAST}`,
    ],
    examples: [
      {
        text: 'WIN LAND IN DHAKA! CLICK NOW nagad.io/exa\nCash In Received.\nAmt:Tk 200.00\nUddokta:01511000078\nTxnID: 72Z3V03L\nBal:237.59\n27/03/2024 15:54',
        values: {
          amount: '200.00',
          balance: '237.59',
          from: '01511000078',
          trx_id: '72Z3V03L',
          at: '2024-03-27T15:54:00+06:00',
        },
      },
    ],
  },
  {
    id: 'nagad-payment-received',
    kind: 'payment_received',
    settle: 'auto',
    texts: [
      `Payment Received. (Amount|Amt):[ ]{amount} Customer:[ ]{payer} ${LAST}`,
      `Payment Received.Amount:[ ]{amount:cents}Customer:[ ]{payer}${GLUED_LAST}`,
    ],
    examples: [
      {
        text: 'Payment Received. Amount: Tk 50.00 Customer: 01911000081 TxnID: 746SQH7X Balance: Tk 284.27 20/10/2025 17:58',
        values: {
          amount: '50.00',
          balance: '284.27',
          from: '01911000081',
          trx_id: '746SQH7X',
          at: '2025-10-20T17:58:00+06:00',
        },
      },
    ],
  },
  {
    id: 'nagad-cash-out-received',
    kind: 'cash_out_received',
    settle: 'auto',
    texts: [
      `Cash Out Received. (Amount|Amt):[ ]{amount} Customer:[ ]{payer} ${LAST}`,
      `Cash Out Received.Amount:[ ]{amount:cents}Customer:[ ]{payer}${GLUED_LAST}`,
    ],
    examples: [
      {
        text: 'Cash Out Received.Amount: Tk 2100.00Customer: 01311000083TxnID: 71U8MMBDComm: Tk 8.61Balance: Tk 779108.3421/01/2023 18:30',
        values: {
          amount: '2100.00',
          balance: '779108.34',
          from: '01311000083',
          trx_id: '71U8MMBD',
          at: '2023-01-21T18:30:00+06:00',
        },
      },
    ],
  },
  {
    id: 'nagad-b2b',
    kind: 'b2b_received',
    settle: 'review',
    texts: [`B2B Received. Amount:[ ]{amount} Sender:[ ]{payer} ${LAST}`],
    examples: [
      {
        text: 'B2B Received.\nAmount: Tk 700.00\nSender: 01711000308\nTxnID: 75BZNAWO\nBalance: Tk 4300.00\n02/06/2026 21:12',
        values: {
          amount: '700.00',
          balance: '4300.00',
          from: '01711000308',
          trx_id: '75BZNAWO',
          at: '2026-06-02T21:12:00+06:00',
        },
      },
    ],
  },
  {
    id: 'nagad-add-money',
    kind: 'add_money',
    settle: 'review',
    isWeak: true,
    texts: [`Add Money from (Bank|Card) is Successful. From:[ ]{name} Amount:[ ]{amount} ${LAST}`],
    examples: [
      {
        text: 'Add Money from Bank is Successful.\nFrom: IBBL\nAmount: Tk 340.0\nTxnID: 71XLQXLT\nBalance: Tk 496.00\n15/01/2023 21:25',
        values: {
          amount: '340.00',
          balance: '496.00',
          from: 'IBBL',
          trx_id: '71XLQXLT',
          at: '2023-01-15T21:25:00+06:00',
        },
      },
    ],
  },
  {
    // Its id is of another series than all others, and nothing names the payer.
    id: 'nagad-bangla-qr',
    kind: 'payment_received',
    settle: 'review',
    isWeak: true,
    texts: [
      'Payment - Bangla QR Successfully Received. Amount:[ ]{amount} (Txn ID|TxnID):[ ]{id}[ Balance:[ ]{balance:maybe}][ {date}]',
    ],
    examples: [
      {
        text: 'Payment - Bangla QR Successfully Received.\nAmount: Tk 500.00\nTxn ID: 0001U7K2\nBalance: Tk 1,720.00\n01/10/2026 13:29',
        values: {
          amount: '500.00',
          balance: '1720.00',
          trx_id: '0001U7K2',
          at: '2026-10-01T13:29:00+06:00',
        },
      },
      {
        text: 'Payment - Bangla QR Successfully Received. \nAmount: Tk 640.00 \nTxn ID: 0001U735',
        values: { amount: '640.00', trx_id: '0001U735' },
      },
    ],
  },
  {
    id: 'nagad-refund',
    kind: 'refund',
    settle: 'never',
    texts: [
      'Refund from {name} Amount:[ ]{amount} (TrnxID|TxnID):[ ]{id} Balance:[ ]{balance:maybe} {date}[.]{tail}',
    ],
    examples: [
      {
        text: 'Refund from Example BD\nAmount: Tk 239\nTrnxID: 72E5GUHG\nBalance:TK 282.62\n04/01/2024 18:16',
        values: {
          amount: '239.00',
          balance: '282.62',
          from: 'Example BD',
          trx_id: '72E5GUHG',
          at: '2024-01-04T18:16:00+06:00',
        },
      },
    ],
  },
  {
    // Gifts name two amounts, each before its Tk, and no id. Some carry one; they are gifts all the same.
    id: 'nagad-gift',
    kind: 'bonus',
    settle: 'never',
    texts: [
      "Congrats! You've received (Cashback|Cash back/Gift|Gift) {amount:after} Tk for {skip}[ |] {date}{tail}",
    ],
    examples: [
      {
        text: "Congrats! You've received Cashback 20.00 Tk for Mobile Recharge of 30.00 Tk.\n30/07/2024 20:06\nFor Details Call 16167",
        values: { amount: '20.00', at: '2024-07-30T20:06:00+06:00' },
      },
    ],
  },
  {
    id: 'nagad-sent-to-customer',
    kind: 'outgoing',
    settle: 'never',
    texts: [
      `Send Money Successful. Amount:[ ]{amount} Receiver:[ ]{payee}[ Ref:[ ]{ref}][ Fee:[ ]{fee:maybe}] ${LAST}`,
    ],
    examples: [
      {
        text: 'Send Money Successful.\nAmount: Tk 494.00\nReceiver: 01511000089\nRef: N/A\nTxnID: 751F7BMQ\nBalance: Tk 10.85\n18/06/2026 14:25',
        values: {
          amount: '494.00',
          balance: '10.85',
          to: '01511000089',
          trx_id: '751F7BMQ',
          at: '2026-06-18T14:25:00+06:00',
        },
      },
    ],
  },
  {
    id: 'nagad-sent',
    kind: 'outgoing',
    settle: 'never',
    texts: [
      `(Send Money|Cash Out|Cash In|Mobile Recharge|B2B Transfer) Successful. Amount:[ ]{amount} (Receiver|Uddokta|Customer|Mobile):[ ]{to}[ Ref:[ ]{ref}][ Fee:[ ]{fee:maybe}] ${LAST}`,
      `Payment to {to} is Successful. Amount:[ ]{amount}[ Ref:[ ]{ref}][ Fee:[ ]{fee:maybe}] ${LAST}`,
      'Transaction Reversed. Amount:[ ]{amount} TxnID:[ ]{id} Balance:[ ]{balance:maybe} {date}[.]{tail}',
      'Bill Payment to {to} is successful.[ ]Amount:[ ]{amount}. Biller Account:[ ]{skip}. Fee:[ ]{fee:maybe} TxnId:[ ]{id} {date}{tail}',
    ],
    examples: [
      {
        text: "Payment to 'Example Bazaar Limit' is Successful.\nAmount: Tk  494.00\nTxnID: 72ICV0NA\nBalance: Tk 510.85\n03/11/2023 13:58",
        values: {
          amount: '494.00',
          balance: '510.85',
          trx_id: '72ICV0NA',
          at: '2023-11-03T13:58:00+06:00',
        },
      },
    ],
  },
  {
    id: 'nagad-accepted',
    kind: 'pending',
    settle: 'never',
    texts: [
      'Your request for {to} is accepted. Amount:[ ]{amount} Account No:[ ]{skip} Fee:[ ]{fee:maybe} TxnId:[ ]{id} {date}{tail}',
    ],
    examples: [
      {
        text: 'Your request for EXSCO Prepaid recharge is accepted.\nAmount: Tk 400.00\nAccount No: 81911072\nFee:3.60\nTxnId: 73ZJ96LJ\n23/10/2024 09:14',
        values: { amount: '400.00', fee: '3.60', trx_id: '73ZJ96LJ', at: '2024-10-23T09:14:00+06:00' },
      },
    ],
  },
];
