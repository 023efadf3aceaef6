/**
 * Schemas of what the API returns for a payment: the transaction record, as in verify and in the
 * notifications, and the entries of `methods`. Each field is described once, here; the reference and the
 * tables of docs/ are made of it.
 */
import { Type } from '@sinclair/typebox';
import {
  CHANNELS,
  MFS_ACCOUNT_TYPES,
  MFS_CHANNELS,
  PAY_CHANNELS,
} from '../../../src/domain/accounts/channels.js';
import { DEFAULT_CUSTOMER, PLACEHOLDER_EMAIL } from '../../../src/domain/sessions/session.js';
import { flag, Nullable, StringEnum, text } from './fields.js';

/** Schema of a value that has its own serializer, such as numbers with all their digits. */
const Written = (schema: object) => Type.Unsafe<unknown>(schema);

export const PAYMENT_STATUSES = ['COMPLETED', 'PENDING', 'FAILED'] as const;

export const AmountText = text('Requested amount in taka, with two decimals.', '500.00', {
  pattern: '^\\d+\\.\\d{2}$',
});
export const AmountNumber = Type.Number({ description: 'Requested amount in taka.', examples: [500] });

const PAID =
  'Only for a completed payment for which an operator accepted another sum than `amount`: the taka ' +
  'received, without the fee. If you sell a balance, credit this sum.';
const EMAIL = 'E-mail address of the customer, as given at create.';
const META = 'Your data from create, with every number as you wrote it; null if you sent none.';
const metaOf = (types: readonly string[], description: string) =>
  Written({ anyOf: types.map((type) => ({ type })), description, examples: [{ order: 17 }] });

/** Everywhere where there is a payment. */
export const Test = Type.Optional(
  Type.Literal(true, {
    description: 'Only for a test brand: the payment was simulated, and no money was moved.',
  }),
);

/** The record of a hosted payment. */
export const HostedRecord = Type.Object(
  {
    cus_name: text('Name of the customer, as given at create.', DEFAULT_CUSTOMER),
    cus_email: text(EMAIL, PLACEHOLDER_EMAIL),
    amount: AmountText,
    paid_amount: Type.Optional(text(PAID, '300.00', { pattern: '^\\d+\\.\\d{2}$' })),
    transaction_id: text(
      'After a credit the reference of the wallet, the bank, the chain or the exchange; before that ' +
        'the gateway reference.',
      'DKL7CD1EF2',
    ),
    meta_data: metaOf(
      ['object', 'string', 'null'],
      `${META} A text for brands with \`--metadata-as string\`.`,
    ),
    payment_method: Nullable(
      StringEnum(
        PAY_CHANNELS,
        'The method by which the customer paid or claims to have paid; null while it is unknown.',
      ),
    ),
    status: StringEnum(
      PAYMENT_STATUSES,
      '`COMPLETED`: paid, deliver. `PENDING`: not paid yet, or under review. `FAILED`: cancelled, refused or expired.',
    ),
    amount_usdt: Type.Optional(
      Written({
        type: 'number',
        description: 'Only for `bep20`, after the credit: the USDT received.',
      }),
    ),
    receiver: Type.Optional(
      text('Only for `bep20`, after the credit: the address of the wallet that received it.'),
    ),
    test: Test,
  },
  { description: 'The transaction record.' },
);

/** Record of v2: the amount is a number, and the payment method is never null. */
export const HeadlessRecord = Type.Object(
  {
    ...HostedRecord.properties,
    cus_name: text('Name of the customer, as given at create.', 'Customer'),
    cus_email: text(`${EMAIL} Empty if none was given.`, ''),
    amount: AmountNumber,
    paid_amount: Type.Optional(Type.Number({ description: PAID, examples: [300] })),
    meta_data: metaOf(['object', 'null'], META),
    payment_method: StringEnum(PAY_CHANNELS, 'The method by which the customer paid.'),
    status: StringEnum(
      ['COMPLETED', 'PENDING'],
      '`COMPLETED`: paid, deliver. `PENDING`: under review, verify again later.',
    ),
  },
  { description: 'The transaction record.' },
);

const walletsWith = (type: 'personal' | 'agent' | 'payment') =>
  MFS_CHANNELS.filter((name) => MFS_ACCOUNT_TYPES[name].includes(type))
    .map((name) => `\`${name}\``)
    .join(', ');

const isActive = (description: string) => Type.Optional(flag(description));
/** Account number of a wallet; for an exchange that of the personal account. */
const numberOf = (what: string) => Type.Optional(text(`${what}; empty while it is not active.`));

/** An entry of `methods`. Its fields depend on `name`. */
export const MethodEntry = Type.Object({
  name: StringEnum(CHANNELS, 'The channel; verify takes it as `method`.'),
  active_payments: Type.Object(
    {
      personal: isActive(`${walletsWith('personal')}, \`exchange_pay\`: a personal account is active.`),
      agent: isActive(`${walletsWith('agent')}: an agent account is active.`),
      payment: isActive(`${walletsWith('payment')}: a merchant account is active.`),
      merchant: isActive('`exchange_pay`: a merchant account is active.'),
      qr: isActive('`qr_interbank`: always true.'),
      transfer: isActive('`bep20`: always true.'),
    },
    { description: 'The kinds of account that are active; the keys depend on `name`.' },
  ),
  personal: numberOf('Number of the personal account; for `exchange_pay` the user id at the exchange'),
  agent: numberOf('Number of the agent account'),
  payment: numberOf('Number of the merchant account'),
  qr_image: Type.Optional(
    text(
      '`qr_interbank`, and wallets whose personal account has a Bangla QR: address of a PNG of the QR code ' +
        'of this payment, with amount and reference in it; with `.svg` at the end it is an SVG.',
      undefined,
      { format: 'uri' },
    ),
  ),
  qr_payload: Type.Optional(
    text('Wallets whose personal account has a Bangla QR: the text in `qr_image`, to draw it yourself.'),
  ),
  network: Type.Optional(text('`bep20`: name of the network.')),
  currency: Type.Optional(text('`exchange_pay`, `bep20`: always `USDT`.')),
  receiver_address: Type.Optional(text('`bep20`: address of your wallet.')),
  dollar_rate: Type.Optional(Type.Number({ description: '`exchange_pay`, `bep20`: taka for one USDT.' })),
  amount_usdt: Type.Optional(
    Type.Number({
      description:
        '`exchange_pay`, `bep20`: USDT to pay. Show every digit: a transfer is recognised by its exact amount.',
    }),
  ),
});
