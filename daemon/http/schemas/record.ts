/**
 * What the API answers of a payment, as schemas: the transaction record (spec 2.5), as verify and the
 * notifications have it, and the entries of `methods` (spec 2.3). Each field is described once, here; the
 * reference and the tables of docs/ are made of it.
 */
import { Type } from '@sinclair/typebox';
import { MFS_ACCOUNT_TYPES, MFS_CHANNELS, PAY_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { Nullable, OneOf } from './fields.js';

/** What is written by code of its own, such as numbers with all their digits. */
const Written = (schema: object) => Type.Unsafe<unknown>(schema);

export const PAYMENT_STATUSES = ['COMPLETED', 'PENDING', 'FAILED'] as const;
export const CUSTOMER_NAME = 'Name of the customer, as given at create.';
export const CUSTOMER_EMAIL = 'E-mail address of the customer, as given at create.';

export const AmountText = Type.String({
  pattern: '^\\d+\\.\\d{2}$',
  description: 'Taka that you asked for, with two decimals.',
});
export const AmountNumber = Type.Number({ description: 'Taka that you asked for.' });

export const transactionId = Type.String({
  description:
    'The reference of the wallet, the bank, the chain or the exchange once something is credited, before that ' +
    'the gateway reference.',
});

export const PaymentMethod = OneOf(PAY_CHANNELS, 'The way in which the customer paid.');
export const PaymentMethodOrNull = Nullable(
  OneOf(PAY_CHANNELS, 'The way in which the customer paid, or says so; null while none is known.'),
);

const META = 'What you gave at create, with every number as you wrote it; null without.';
export const MetaObject = Written({
  anyOf: [{ type: 'object' }, { type: 'null' }],
  description: META,
});
export const MetaObjectOrText = Written({
  anyOf: [{ type: 'object' }, { type: 'string' }, { type: 'null' }],
  description: `${META} A text for brands with \`--metadata-as string\`.`,
});

/** Spec 2.5, "Only for bep20". */
export const usdtRecord = {
  amount_usdt: Type.Optional(
    Written({ type: 'number', description: 'Only of `bep20`, once it is credited: the USDT that came in.' }),
  ),
  receiver: Type.Optional(
    Type.String({
      description: 'Only of `bep20`, once it is credited: the address of the wallet that received it.',
    }),
  ),
};

const ACCOUNT_TYPES: Readonly<Record<string, string>> = {
  personal: `${MFS_CHANNELS.map((name) => `\`${name}\``).join(', ')}, \`exchange_pay\`: a personal account is active.`,
  agent: `${walletsWith('agent')}: an agent account is active.`,
  payment: `${walletsWith('payment')}: a merchant account is active.`,
  merchant: '`exchange_pay`: a merchant account is active.',
  qr: '`qr_interbank`: always true.',
  transfer: '`bep20`: always true.',
};

function walletsWith(type: 'agent' | 'payment'): string {
  const names = MFS_CHANNELS.filter((name) => MFS_ACCOUNT_TYPES[name].includes(type));
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Of a wallet, and of an exchange the personal one. */
const numberOf = (what: string) =>
  Type.Optional(Type.String({ description: `${what}; empty while it is not active.` }));

/** Spec 2.3. Which fields there are depends on `name`. */
export const MethodEntry = Type.Object({
  name: OneOf(
    PAY_CHANNELS.filter((name) => name !== 'bank'),
    'The channel; verify takes it as `method`.',
  ),
  active_payments: Type.Object(
    Object.fromEntries(
      Object.entries(ACCOUNT_TYPES).map(([type, description]) => [
        type,
        Type.Optional(Type.Boolean({ description })),
      ]),
    ),
    { description: 'Which kinds of account are active; the keys depend on `name`.' },
  ),
  personal: numberOf('Number of the personal account; of `exchange_pay` the user id at the exchange'),
  agent: numberOf('Number of the agent account'),
  payment: numberOf('Number of the merchant account'),
  qr_image: Type.Optional(
    Type.String({
      format: 'uri',
      description:
        '`qr_interbank`: address of a PNG of the QR code, with amount and reference in it; with `.svg` at its end ' +
        'an SVG.',
    }),
  ),
  network: Type.Optional(Type.String({ description: '`bep20`: name of the network.' })),
  currency: Type.Optional(Type.String({ description: '`exchange_pay`, `bep20`: always `USDT`.' })),
  receiver_address: Type.Optional(Type.String({ description: '`bep20`: address of your wallet.' })),
  dollar_rate: Type.Optional(Type.Number({ description: '`exchange_pay`, `bep20`: taka for one USDT.' })),
  amount_usdt: Type.Optional(
    Type.Number({
      description:
        '`exchange_pay`, `bep20`: USDT to pay. Show every digit: a transfer is recognised by its exact amount.',
    }),
  ),
});
