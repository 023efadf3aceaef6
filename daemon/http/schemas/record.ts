/**
 * Schemas of what the API returns for a payment: the transaction record, as in verify and in the
 * notifications, and the entries of `methods`. Each field is described once, here; the reference and the
 * tables of docs/ are made of it.
 */
import { type TSchema, Type } from '@sinclair/typebox';
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
  'Only for a completed payment for which an operator accepted another sum than `amount`, and for one that ' +
  'is paid in parts: the taka received so far, without the fee. If you sell a balance, credit this sum when ' +
  'the payment is completed.';
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

/**
 * Fields of the record that most payments do not have; so they are in no example.
 * @param taka schema of an amount, written as `amount` of the same answer is.
 */
const amountFields = <Taka extends TSchema>(taka: (description: string) => Taka) => ({
  paid_amount: Type.Optional(taka(PAID)),
  due_amount: Type.Optional(
    taka('Only for a payment that is paid in parts: the taka that are still due, without a fee.'),
  ),
  parts: Type.Optional(
    Type.Array(
      Type.Object({
        ...partFields(taka),
        paid_at: text('When it was credited, UTC.', undefined, { format: 'date-time' }),
      }),
      { description: 'Only for a payment that is paid in parts: what has come, the first part first.' },
    ),
  ),
  due_on_delivery: Type.Optional(
    taka('Only for an advance: the taka that the customer pays on delivery, in addition to `amount`.'),
  ),
  refunded_amount: Type.Optional(
    taka(
      'Only after a refund: the taka that were sent back. `status` and `paid_amount` do not change by a refund.',
    ),
  ),
  remaining_amount: Type.Optional(
    taka('Only after a refund: the taka that the shop still has of what was paid, without a fee.'),
  ),
});

export const partFields = <Taka extends TSchema>(taka: (description: string) => Taka) => ({
  transaction_id: text('Reference of the wallet or the bank.'),
  payment_method: StringEnum(PAY_CHANNELS, 'The method of this part.'),
  amount: taka('Taka received, without the fee.'),
});

const takaText = (description: string) => text(description, undefined, { pattern: '^\\d+\\.\\d{2}$' });
const takaNumber = (description: string) => Type.Number({ description });
/** An amount of a notification, which has the form of either version. */
export const takaOfEither = (description: string) =>
  Type.Union([takaNumber(''), takaText('')], { description });
export const NOTIFIED_AMOUNTS = amountFields((description) =>
  takaOfEither(`${description} Written as \`amount\` is.`),
);

/** The record of a hosted payment. */
export const HostedRecord = Type.Object(
  {
    cus_name: text('Name of the customer, as given at create.', DEFAULT_CUSTOMER),
    cus_email: text(EMAIL, PLACEHOLDER_EMAIL),
    amount: AmountText,
    ...amountFields(takaText),
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
      '`COMPLETED`: paid, deliver. `PENDING`: not paid yet, only in part, or under review. `FAILED`: cancelled, ' +
        'refused or expired.',
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
    ...amountFields(takaNumber),
    meta_data: metaOf(['object', 'null'], META),
    payment_method: StringEnum(PAY_CHANNELS, 'The method by which the customer paid.'),
    status: StringEnum(
      ['COMPLETED', 'PENDING'],
      '`COMPLETED`: paid, deliver. `PENDING`: under review, or a rest is due; verify again later.',
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
