/**
 * Sources that come with Kashbox. Data only; shapes are public, every value is invented. None is active
 * before `kashbox sms learn NAME` has written its file.
 */
import { BANK, QR } from '../accounts/channels.js';
import type { KnownSource } from './source.js';

export const KNOWN_SOURCES: readonly KnownSource[] = [
  {
    source: { name: 'tallypay', title: 'TallyPay', senders: ['TallyPay', 'TallyKhata'] },
    channel: QR,
    formats: [
      {
        id: 'tallypay-qr',
        kind: 'payment_received',
        settle: 'review',
        texts: ['{amount} received from {payer} via TallyPay QR. Txn ID: {id}'],
        examples: [
          {
            text: 'Tk 1,898.57 received from 017***4001 via TallyPay QR. Txn ID: YY1Z00HTP',
            values: { amount: '1898.57', from: '017***4001', trx_id: 'YY1Z00HTP' },
          },
        ],
      },
    ],
  },
  {
    source: { name: 'ebl', title: 'EBL', senders: ['EBL'] },
    channel: BANK,
    formats: [
      {
        id: 'ebl-credit',
        kind: 'received',
        settle: 'review',
        texts: [
          'AC {account} is credited with {amount} as {skip} on {date:named} Balance is {balance} Thanks. EBL Helpline 16230',
        ],
        examples: [
          {
            text: 'AC 112***001 is credited with BDT 10000 as NPSB FUND TRANSFER on 01-SEP-26 10:38:57 AM Balance is BDT 10034.2 Thanks. EBL Helpline 16230',
            values: { amount: '10000.00', balance: '10034.20', at: '2026-09-01T10:38:57+06:00' },
          },
        ],
      },
      {
        id: 'ebl-debit',
        kind: 'outgoing',
        settle: 'never',
        texts: [
          'AC {account} is debited with {skip} as {skip} on {date:named} Balance is {skip} Thanks. EBL Helpline 16230',
        ],
        examples: [
          {
            text: 'AC 786***000 is debited with BDT .06 as SOURCE TAX on 29-JUN-23 01:56:48 AM Balance is BDT 3948 Thanks. EBL Helpline 16230',
            values: { at: '2023-06-29T01:56:48+06:00' },
          },
        ],
      },
    ],
  },
  {
    source: { name: 'brac', title: 'BRAC Bank', senders: ['BRAC BANK', 'BRACBANK'] },
    channel: BANK,
    formats: [
      {
        id: 'brac-credit',
        kind: 'received',
        settle: 'review',
        texts: [
          '{amount} credited to A/C#{account} on {date:short} from {name}. Balance {balance}. BRAC Bank.',
        ],
        examples: [
          {
            text: 'TK 5,000.00 credited to A/C#13032**0001 on 06-05-23 @10:15 AM from OTHER BANK. Balance TK 42,743.77. BRAC Bank.',
            values: {
              amount: '5000.00',
              balance: '42743.77',
              from: 'OTHER BANK',
              at: '2023-05-06T10:15:00+06:00',
            },
          },
        ],
      },
      {
        id: 'brac-credit-day',
        kind: 'received',
        settle: 'review',
        texts: [
          '{amount} has been (credited|deposited) to your A/C#[ ]{account} on {day}. Your A/C balance is {balance}. For Enquiry call: 16221',
        ],
        examples: [
          {
            text: 'TK 35,000.00 has been credited to your A/C# 65082**0001 on 03-09-24. Your A/C balance is TK 49,024.31. For Enquiry call: 16221',
            values: { amount: '35000.00', balance: '49024.31' },
          },
        ],
      },
    ],
  },
  {
    source: { name: 'sonali', title: 'Sonali Bank', senders: ['SONALI BANK'] },
    channel: BANK,
    formats: [
      {
        id: 'sonali-credit',
        kind: 'received',
        settle: 'review',
        texts: ['Your account {account} has been credited through NPSB for {amount}'],
        examples: [
          {
            text: 'Your account 5912*****0001 has been credited through NPSB for BDT 9,900.00',
            values: { amount: '9900.00' },
          },
        ],
      },
    ],
  },
  {
    source: { name: 'ibbl', title: 'Islami Bank', senders: ['IBBL', 'IBBL .'] },
    channel: BANK,
    formats: [
      {
        id: 'ibbl-atm',
        kind: 'received',
        settle: 'review',
        texts: ['Dear Customer ATM {amount} has been credited to A/C{account}'],
        examples: [
          {
            text: 'Dear Customer ATM Tk 3647 has been credited to A/C777**05090001',
            values: { amount: '3647.00' },
          },
        ],
      },
      {
        id: 'ibbl-deposit',
        kind: 'received',
        settle: 'review',
        texts: ['TrxID: {id} Acc: {account} Deposit Amount: {amount:plain}'],
        examples: [
          {
            text: 'TrxID: 58260928000000001 \n Acc: 20507776700000001 \n Deposit Amount: 9,000.00',
            values: { amount: '9000.00', trx_id: '58260928000000001' },
          },
        ],
      },
    ],
  },
  {
    source: { name: 'trust-bank', title: 'Trust Bank', senders: ['TRUST BANK'] },
    channel: BANK,
    formats: [
      {
        id: 'trust-bank-credit',
        kind: 'received',
        settle: 'review',
        texts: ['ATM CASH Txn {amount} CREDIT AC No {account}'],
        examples: [
          {
            text: 'ATM CASH Txn \n TK 5945.00 CREDIT \n AC No 046***001',
            values: { amount: '5945.00' },
          },
        ],
      },
    ],
  },
  {
    source: { name: 'uttara', title: 'Uttara Bank', senders: ['UTTARA BANK'] },
    channel: BANK,
    formats: [
      {
        id: 'uttara-credit',
        kind: 'received',
        settle: 'review',
        texts: [
          'Dear Customer, {amount} has been credited to your A/C No {account} from {name} and Current Balance is: ({balance}|{overdraft})',
        ],
        examples: [
          {
            text: 'Dear Customer, BDT 14000  has been credited to your A/C No 032300000000001 from Head Office and Current Balance is: BDT 52000.50',
            values: { amount: '14000.00', balance: '52000.50', from: 'Head Office' },
          },
          {
            text: 'Dear Customer, BDT 47800 has been credited to your A/C No 041200000000001 from Sample Road Branch and Current Balance is: BDT -9939119',
            values: { amount: '47800.00', from: 'Sample Road Branch' },
          },
        ],
      },
    ],
  },
  {
    source: { name: 'tap', title: 'tap', senders: ['tap', 'tap.'] },
    channel: BANK,
    formats: [
      {
        id: 'tap-add-money',
        kind: 'add_money',
        settle: 'review',
        texts: ['Received {amount} from {name}. Fee {fee} Your current balance is {balance}.'],
        examples: [
          {
            text: 'Received Tk. 5500.00 from EBL. Fee Tk. 0.00 Your current balance is Tk 5530.50.',
            values: { amount: '5500.00', fee: '0.00', balance: '5530.50', from: 'EBL' },
          },
        ],
      },
      {
        id: 'tap-received',
        kind: 'received',
        settle: 'review',
        texts: ['Received {amount} from {payer}. Balance {balance}. TxID: {id}[.]'],
        examples: [
          {
            text: 'Received Tk 500.00 from 01700000112. Balance Tk. 8915.90. TxID: ETRLQL6UP4930G.',
            values: {
              amount: '500.00',
              balance: '8915.90',
              from: '01700000112',
              trx_id: 'ETRLQL6UP4930G',
            },
          },
        ],
      },
    ],
  },
  {
    source: { name: 'midland', title: 'Midland Bank', senders: ['Midland Bank'] },
    channel: BANK,
    formats: [
      {
        id: 'midland-deposit',
        kind: 'received',
        settle: 'review',
        texts: ['{amount} was deposited to A/c No {account} by ATM transaction'],
        examples: [
          {
            text: 'BDT 3999.99 was deposited to A/c No ***00001 by ATM transaction',
            values: { amount: '3999.99' },
          },
        ],
      },
    ],
  },
];
