import test from 'ava';
import {
  ATTEMPT_OUTCOMES,
  type AttemptOutcome,
  afterAttempt,
  contentType,
  MAX_TRIES,
  MAX_WAIT_MS,
  type NotificationFacts,
  notificationContent,
  toNotificationEvent,
} from '../../../src/domain/notifications/notification.js';

const failed = (outcome: AttemptOutcome, retryAfterS: number | null = null) => ({ outcome, retryAfterS });

test('failed attempts are repeated after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h, 12 h and 24 h, then no more', (t) => {
  const planned = [5, 30, 120, 600, 1_800, 7_200, 21_600, 43_200, 86_400];
  t.is(MAX_TRIES, planned.length + 1);
  for (const [index, seconds] of planned.entries()) {
    t.deepEqual(afterAttempt(failed('refused'), index + 1, 0.5), {
      state: 'PENDING',
      waitMs: seconds * 1_000,
    });
  }
  t.deepEqual(afterAttempt(failed('refused'), MAX_TRIES, 0.5), { state: 'FAILED' });
});

test('a wait is drawn out or shortened by a fifth at most', (t) => {
  const waits = [0, 0.25, 0.5, 0.75, 1].map((chance) => {
    const after = afterAttempt(failed('timeout'), 3, chance);
    return after.state === 'PENDING' ? after.waitMs / 1_000 : null;
  });
  t.deepEqual(waits, [96, 108, 120, 132, 144]);
  // Longer than the longest wait: what is put off for longer was so by a wrong clock.
  const longest = afterAttempt(failed('timeout'), MAX_TRIES - 1, 1);
  t.true(longest.state === 'PENDING' && longest.waitMs < MAX_WAIT_MS);
});

test('every outcome but a delivery is tried again, save an address that may not be called', (t) => {
  const states = ATTEMPT_OUTCOMES.map((outcome) => [outcome, afterAttempt(failed(outcome), 1, 0).state]);
  t.deepEqual(Object.fromEntries(states), {
    delivered: 'DELIVERED',
    refused: 'PENDING',
    timeout: 'PENDING',
    unreachable: 'PENDING',
    tls: 'PENDING',
    blocked: 'FAILED',
    unsigned: 'PENDING',
  });
});

test('Retry-After is kept to: never sooner than planned, and an hour at most', (t) => {
  const wait = (seconds: number, tries = 1) => {
    const after = afterAttempt(failed('refused', seconds), tries, 0.5);
    return after.state === 'PENDING' ? after.waitMs / 1_000 : null;
  };
  t.is(wait(60), 60);
  t.is(wait(1), 5);
  t.is(wait(0), 5);
  t.is(wait(86_400), 3_600);
  t.is(wait(60, 9), 86_400);
});

const PAID: NotificationFacts = {
  sessionId: 'a'.repeat(32),
  flow: 'headless',
  status: 'COMPLETED',
  cusName: 'গ্রাহক "Customer"',
  cusEmail: '',
  amountPaisa: 50_050,
  transactionId: 'ALO1PAID01',
  channel: 'mfs_a',
  metaJson: '{"order": 12345678901234567890}',
  metadataAs: 'object',
  statusAs: 'upper',
  paidPaisa: 50_050,
  parts: [],
  refundedPaisa: 0,
  deliveryPaisa: 0,
  feePaisa: 0,
  units: null,
  receiver: null,
  items: [],
  description: '',
  isTest: false,
};
const ENVELOPE = { id: 'ntf_1', event: 'payment.completed', sequence: 1, createdAt: 0 } as const;

test('the JSON body is the record of verify with event, id, time and sequence', (t) => {
  const text = notificationContent('json', ENVELOPE, PAID);
  t.true(text.includes('"meta_data":{"order": 12345678901234567890}'));
  t.deepEqual(JSON.parse(text.replace('12345678901234567890', '1')), {
    event: 'payment.completed',
    id: 'ntf_1',
    created_at: '1970-01-01T00:00:00.000Z',
    sequence: 1,
    session_id: 'a'.repeat(32),
    cus_name: 'গ্রাহক "Customer"',
    cus_email: '',
    amount: 500.5,
    transaction_id: 'ALO1PAID01',
    meta_data: { order: 1 },
    payment_method: 'mfs_a',
    status: 'COMPLETED',
  });
});

test('of a hosted payment the amount is a text, and the metadata what the brand wants', (t) => {
  const hosted = { ...PAID, flow: 'hosted', metadataAs: 'string', metaJson: '{"a":1}' } as const;
  const { amount, meta_data } = JSON.parse(notificationContent('json', ENVELOPE, hosted));
  t.deepEqual({ amount, meta_data }, { amount: '500.50', meta_data: '{"a":1}' });
});

test('order lines and a description are in the JSON body if there are any, and never in a form', (t) => {
  const order = {
    description: 'Eid order',
    items: [
      { name: 'জামা "L"', quantity: 2, pricePaisa: 25_050 },
      { name: 'Discount', quantity: 1, pricePaisa: -50 },
    ],
  };
  const sent = (change: Partial<NotificationFacts>) => {
    const { description, items } = JSON.parse(
      notificationContent('json', ENVELOPE, { ...PAID, metaJson: null, ...change }),
    );
    return { description, items };
  };
  t.deepEqual(sent({ ...order, flow: 'hosted' }), {
    description: 'Eid order',
    items: [
      { name: 'জামা "L"', quantity: 2, price: '250.50' },
      { name: 'Discount', quantity: 1, price: '-0.50' },
    ],
  });
  t.deepEqual(
    sent(order).items.map(({ price }: { price: unknown }) => price),
    [250.5, -0.5],
  );
  t.deepEqual(sent({}), { description: undefined, items: undefined });
  const form = notificationContent('form', ENVELOPE, { ...PAID, ...order, flow: 'hosted' });
  t.is(form, notificationContent('form', ENVELOPE, { ...PAID, flow: 'hosted' }));
});

test('metadata is a value as it was written, save where a brand of the hosted flow wants a text', (t) => {
  const written = (change: Partial<NotificationFacts>) =>
    /"meta_data":(.+),"payment_method"/.exec(
      notificationContent('json', ENVELOPE, { ...PAID, ...change }),
    )?.[1];
  const metaJson = '{"a":1}';
  t.is(written({ metaJson, flow: 'hosted', metadataAs: 'object' }), '{"a":1}');
  t.is(written({ metaJson, flow: 'hosted', metadataAs: 'string' }), '"{\\"a\\":1}"');
  t.is(written({ metaJson, flow: 'headless', metadataAs: 'string' }), '{"a":1}');
  for (const flow of ['hosted', 'headless'] as const) {
    t.is(written({ metaJson: null, flow }), 'null');
    const form = new URLSearchParams(
      notificationContent('form', ENVELOPE, { ...PAID, flow, metaJson: null }),
    );
    t.false(form.has('meta_data'));
  }
});

test('under review the form says what is asked for, by bank where the customer was on our page', (t) => {
  const waiting = { ...PAID, status: 'PENDING', paidPaisa: 0, feePaisa: 100, amountPaisa: 70_000 } as const;
  const sent = (payment: NotificationFacts) => {
    const form = new URLSearchParams(notificationContent('form', ENVELOPE, payment));
    return ['paymentMethod', 'paymentAmount', 'paymentFee', 'status'].map((name) => form.get(name));
  };
  t.deepEqual(sent({ ...waiting, flow: 'hosted' }), ['bank', '700.00', '1.00', 'pending']);
  t.deepEqual(sent(waiting), ['mfs_a', '700.00', '1.00', 'pending']);
  t.deepEqual(sent({ ...waiting, status: 'FAILED' }), ['mfs_a', '0.00', '1.00', 'failed']);
});

test('each state of a payment is an event, and each format a type of content', (t) => {
  t.deepEqual((['COMPLETED', 'PENDING', 'FAILED'] as const).map(toNotificationEvent), [
    'payment.completed',
    'payment.pending',
    'payment.failed',
  ]);
  t.is(contentType('json'), 'application/json');
  t.is(contentType('form'), 'application/x-www-form-urlencoded');
});

test('the form body has the parameters of the redirect and transaction_id', (t) => {
  const form = notificationContent('form', ENVELOPE, { ...PAID, flow: 'hosted', feePaisa: 100 });
  t.deepEqual(Object.fromEntries(new URLSearchParams(form)), {
    event: 'payment.completed',
    id: 'ntf_1',
    created_at: '1970-01-01T00:00:00.000Z',
    sequence: '1',
    session_id: 'a'.repeat(32),
    paymentMethod: 'mfs_a',
    transactionId: 'ALO1PAID01',
    paymentAmount: '500.50',
    paymentFee: '1.00',
    status: 'completed',
    transaction_id: 'ALO1PAID01',
    meta_data: '{"order": 12345678901234567890}',
  });
});

test('a test contains no payment, in both formats', (t) => {
  const ping = { ...ENVELOPE, event: 'ping' } as const;
  t.deepEqual(Object.keys(JSON.parse(notificationContent('json', ping, null))), [
    'event',
    'id',
    'created_at',
    'sequence',
  ]);
  t.deepEqual(
    [...new URLSearchParams(notificationContent('form', ping, null)).keys()],
    ['event', 'id', 'created_at', 'sequence'],
  );
});
