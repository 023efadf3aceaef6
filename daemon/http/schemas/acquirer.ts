/** What banks call: what the route carries. It takes any body, since every bank has its own. */
import { Type } from '@sinclair/typebox';
import { OneOf, status, text } from './fields.js';
import { answer, JSON_OR_FORM, operation } from './operation.js';

const Push = Type.Object(
  {
    reference: text('The bank’s own id of the payment; needed.', 'RRN602612345678', { maxLength: 64 }),
    amount: text('Taka with at most two decimals; a JSON number is read exactly too.', '1250.50'),
    status: text('SUCCESS of a payment that is made; any other is none, or not yet.', 'SUCCESS'),
    payer: Type.Optional(
      text('The mobile number that paid, in full or partly hidden: `017****5678`.', '017****5678'),
    ),
    bill: Type.Optional(
      text('The reference label of the QR code (object 62.05): settles by itself.', 'K7PM2XQ4ABCD'),
    ),
    merchant: Type.Optional(text('The merchant id that was paid (object 26.03).')),
    paid_at: Type.Optional(text('ISO 8601; without offset: Bangladesh time.', '2026-11-21T11:40:05+06:00')),
    currency: Type.Optional(text('BDT or 050.')),
  },
  { description: 'These are the names unless the acquirer has a map: `kashbox acquirers create --map`.' },
);

export const PushAnswer = Type.Object({
  status,
  message: text('The state in words.'),
  data: Type.Object(
    {
      id: text('Under which `kashbox pushes list` shows it.'),
      state: OneOf(
        ['stored', 'duplicate', 'kept'],
        '`stored`: on the disk. `duplicate`: it was there before. `kept`: on the disk, but it could not be read.',
      ),
    },
    { description: 'What became of the push.' },
  ),
});

const told = (message: string, state: string) => ({
  [state]: { status: true, message, data: { id: 'psh_0123456789abcdef01234567', state } },
});

export const takePush = operation({
  operationId: 'takePush',
  tag: 'banks',
  access: 'acquirer',
  summary: 'Tell of a payment to a QR code',
  description:
    'The signature is HMAC-SHA256 of the body as it is sent, with the secret of `kashbox acquirers create`, in ' +
    'hex, in `X-Signature`; header and encoding can be others. What is answered 2xx is on the disk. A ' +
    'reference that comes again changes nothing, but that a payment which was pending may become a success.',
  body: Push,
  takes: JSON_OR_FORM,
  answers: {
    200: answer('It is stored, now or before.', PushAnswer, {
      ...told('Stored', 'stored'),
      ...told('Was stored before', 'duplicate'),
    }),
    202: answer(
      'It is kept for a person to look at, since it could not be read. Sending again is no use.',
      PushAnswer,
      told('Kept, but it could not be read', 'kept'),
    ),
  },
  refusals: ['store_full'],
});
