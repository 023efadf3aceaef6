/** The API of counter displays, for a shop's programs: an amount is shown, and cleared. */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { clearDisplay, requireDisplay, showOnDisplay } from '../../../src/actions/links/display.js';
import type { CreatedSession } from '../../../src/actions/sessions/create-session.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { LINK_ID } from '../../../src/base/values/ids.js';
import { CHANNEL } from '../../../src/domain/accounts/channels.js';
import type { RouteContext } from '../context.js';
import { addBrandGate, callerBrand, findHeader } from '../gates/auth.js';
import { publicBase } from '../gates/public-origin.js';
import { acceptForms, getParameters } from '../input/forms.js';
import { Nullable, status, takaField, text } from '../schemas/fields.js';
import {
  ALL_CONTENT_TYPES,
  answer,
  operation,
  resolveIdempotencyKey,
  TWO_KEYS,
} from '../schemas/operation.js';
import { idempotencyKey, parseOrder, shownOrder } from '../schemas/order.js';

const wrong = (message: string) => new KashboxError('invalid_input', { message });
const SHAPE = { missing: (field: string) => wrong(`${field} is required`), wrong };
const LINK = text('Id of the payment link that has the display.', 'm4k8r2w9xh5c', {
  pattern: LINK_ID.source,
});

const ShowBody = Type.Object(
  {
    link: LINK,
    amount: takaField(
      { minimum: 1, maximum: 1_000_000 },
      'Taka, within the limits of the link, with the syntax of hosted create.',
    ),
    description: shownOrder.description,
    idempotency_key: idempotencyKey,
  },
  { examples: [{ link: 'm4k8r2w9xh5c', amount: 250, description: 'Table 4' }] },
);

const ShowAnswer = Type.Object({
  status,
  id: text('Id of the session.', '2b37b7eabf3f93b131a98370d3e060e9'),
  gateway_reference: text('Name of the payment; send it to v1 verify as `transaction_id`.', 'K7Q2M9XW4TZB'),
  payment_reference: Nullable(
    text('What a customer may enter in the “Reference” field of a wallet; rarely null.', 'K7M4P'),
  ),
  qr_image: Nullable(
    text(
      'Picture of the code that the display shows; null if no account of the brand has a Bangla QR.',
      'https://pay.example.com/api/qr/2b37b7eabf3f93b131a98370d3e060e9.png',
    ),
  ),
  expires_at: text('End of the payment, ISO 8601 in Bangladesh time.', '2026-08-21T14:12:20+06:00'),
});

const showOperation = operation({
  operationId: 'showOnDisplay',
  tag: 'headless',
  access: 'brand',
  summary: 'Show an amount on a counter display',
  description:
    'Opens a payment, and the display shows its QR code within a second or two. Find out whether it is paid by ' +
    'webhooks, or by `POST /api/payment/verify` with the `gateway_reference`. While a payment is open on the ' +
    'display, another one is refused with 409: clear it first.',
  body: ShowBody,
  shape: SHAPE,
  takes: ALL_CONTENT_TYPES,
  answers: { 200: answer('The display shows it.', ShowAnswer, 'shown') },
  refusals: [
    ['invalid_input', 'link is required'],
    ['not_found', 'This counter display does not exist'],
    'amount_out_of_range',
    'amount_decimals',
    ['state_refused', 'The counter display shows payment K7Q2M9XW4TZB, which is still open'],
    TWO_KEYS,
    'idempotency_conflict',
    'store_full',
  ],
});

const ClearBody = Type.Object({ link: LINK }, { examples: [{ link: 'm4k8r2w9xh5c' }] });
const ClearAnswer = Type.Object({
  status,
  cancelled: Nullable(text('Name of the payment that was cancelled; null if none was open.', 'K7Q2M9XW4TZB')),
});

const clearOperation = operation({
  operationId: 'clearDisplay',
  tag: 'headless',
  access: 'brand',
  summary: 'Clear a counter display',
  description:
    'Cancels the payment if it is open; one that is paid or under review stays what it is. The display goes ' +
    'back to its start.',
  body: ClearBody,
  shape: SHAPE,
  takes: ALL_CONTENT_TYPES,
  answers: { 200: answer('The display is at its start.', ClearAnswer, 'cleared') },
  refusals: [
    ['invalid_input', 'link is required'],
    ['not_found', 'This counter display does not exist'],
    'store_full',
  ],
});

export function displayApiRoutes(app: FastifyInstance, { core, limits }: RouteContext): void {
  addBrandGate(app, core, limits);
  acceptForms(app);

  app.post('/api/v2/display/show', showOperation, async (request) => {
    const brand = callerBrand(request);
    const given = getParameters<Static<typeof ShowBody>>(request);
    const key = resolveIdempotencyKey(given.idempotency_key, findHeader(request, 'idempotency-key'));
    const { amountPaisa, description, idempotencyKey } = parseOrder(given, brand, key);
    const link = await requireDisplay(core, given.link, brand.brandId);
    const order = { link, amountPaisa, description, idempotencyKey };
    return shownAnswer(
      await showOnDisplay(core, { ...order, publicBase: publicBase(request, core.settings) }),
    );
  });

  app.post('/api/v2/display/clear', clearOperation, async (request) => {
    const { link } = getParameters<Static<typeof ClearBody>>(request);
    const display = await requireDisplay(core, link, callerBrand(request).brandId);
    return { status: true, cancelled: await clearDisplay(core, display, 'api') };
  });
}

function shownAnswer({ id, gatewayReference, paymentReference, methods, expiresAt }: CreatedSession) {
  const codes = methods.filter(({ qr_image: image }) => typeof image === 'string');
  const code = codes.find(({ name }) => CHANNEL[name].kind === 'push') ?? codes[0];
  return {
    status: true,
    id,
    gateway_reference: gatewayReference,
    payment_reference: paymentReference,
    qr_image: code?.qr_image ?? null,
    expires_at: dhakaIso(expiresAt),
  };
}
