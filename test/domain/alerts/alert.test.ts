/** Kinds of alerts: the sentence of each, and who wants which. */
import test from 'ava';
import {
  ALERT_KINDS,
  type AlertDetails,
  type AlertEvent,
  type AlertKind,
  alertText,
  isChosen,
  kindFacts,
  parseChoice,
} from '../../../src/domain/alerts/alert.js';
import { alertPayload } from '../../../src/domain/alerts/alert-target.js';

const offline = {
  last_seen_at: '2026-08-21T12:35:10+06:00',
  battery: 3,
  charging: false,
  network: 'lte',
  pending_sms: 2,
};
const gap = {
  channel: 'mfs_a',
  recipient: '01711000001',
  missing: '500.00',
  direction: 'in',
  from: '2026-08-21T12:30:00+06:00',
  until: '2026-08-21T12:35:00+06:00',
} as const;
const shop = { brand: 'Alo Store', customer: 'রহিম' } as const;
const payment = { payment: 'AB12CD34EF56', channel: 'mfs_a', reference: 'DHL7CD1EF2' } as const;

const sentences: readonly (readonly [news: AlertEvent, sentence: string])[] = [
  [
    { kind: 'device.offline', detail: offline },
    'The phone "Shop phone" is offline: it was last seen at 2026-08-21 12:35. Its battery was at 3%.',
  ],
  [
    { kind: 'device.offline', detail: { ...offline, charging: true } },
    'The phone "Shop phone" is offline: it was last seen at 2026-08-21 12:35. Its battery was at 3%, charging.',
  ],
  [
    { kind: 'device.offline', detail: { ...offline, battery: null, charging: null } },
    'The phone "Shop phone" is offline: it was last seen at 2026-08-21 12:35.',
  ],
  [
    { kind: 'device.recovered', detail: { offline_since: offline.last_seen_at, downtime: '2 hours' } },
    'The phone "Shop phone" is back after 2 hours.',
  ],
  [
    { kind: 'device.battery_low', detail: { battery: 12 } },
    'The phone "Shop phone" has 12% of its battery left and is not charging.',
  ],
  [
    { kind: 'device.problem', detail: { problem: 'SMS cannot be read' } },
    'The phone "Shop phone" reports a problem: SMS cannot be read',
  ],
  [
    { kind: 'sms.gap', detail: gap },
    'There is no SMS about 500.00 BDT that came into 01711000001 (mfs_a) between 2026-08-21 12:30 and 2026-08-21 12:35.',
  ],
  [
    { kind: 'sms.gap', detail: { ...gap, direction: 'out' } },
    'There is no SMS about 500.00 BDT that left 01711000001 (mfs_a) between 2026-08-21 12:30 and 2026-08-21 12:35.',
  ],
  [
    { kind: 'security.transaction_id_guessing', detail: { channel: 'mfs_b', amount: '500.00', guesses: 4 } },
    'Someone may be guessing transaction ids on mfs_b: 4 ids were claimed for payments of 500.00 BDT, but no ' +
      'such money has arrived. Payments that need review: "kashbox verifications list".',
  ],
  [
    { kind: 'payment.disputed', detail: { ...payment, amount: '500.00' } },
    'A later message says that 500.00 BDT under DHL7CD1EF2 (mfs_a) was returned or was another sum, but payment ' +
      'AB12CD34EF56 was completed with it. See "kashbox verifications list".',
  ],
  [
    {
      kind: 'payment.unfinished',
      detail: {
        ...{ payment: 'AB12CD34EF56', brand: 'Alo Store', customer: 'Customer' },
        ...{ paid: '300.00', price: '1000.00' },
      },
    },
    'Payment AB12CD34EF56 for Alo Store ended with 300.00 of 1000.00 BDT from Customer. The money belongs to the ' +
      'customer. Send it back: "kashbox refunds create AB12CD34EF56 --note WHY".',
  ],
  [
    { kind: 'payment.other_merchant', detail: payment },
    'Another merchant was credited with DHL7CD1EF2 (mfs_a), which payment AB12CD34EF56 also claims. Find out whose ' +
      'account received it: "kashbox doctor", then "kashbox verifications list".',
  ],
  [
    {
      kind: 'account.limit',
      detail: {
        ...{ brand: 'Alo Store', channel: 'mfs_a', type: 'personal', number: '01711000001' },
        ...{ amount: '500.00', room: '100.00', day: '2026-08-21' },
      },
    },
    'No personal number of "Alo Store" on mfs_a stays within its limits with a payment of 500.00 BDT. It shows ' +
      '01711000001, which has room for 100.00 BDT. Add a number: "kashbox accounts set --add".',
  ],
  [
    { kind: 'slips.full', detail: { brand: 'Alo Store', day: '2026-08-21', mib: 200 } },
    'Slips of "Alo Store" have reached the limit of 200 MiB per day on 2026-08-21. Bank transfers are still ' +
      'accepted, but slips beyond it are not stored.',
  ],
  [
    {
      kind: 'strangers.limit',
      detail: {
        ...{ use: 'verifications', scope: 'link', limit: 200, brand: 'Alo Store', link: 'm4k8r2w9xh5c' },
        day: '2026-08-21',
      },
    },
    'Customers have reached a limit of "Alo Store" on 2026-08-21: 200 payments without observed money sent to ' +
      'manual review, by the payment link m4k8r2w9xh5c. More are refused until midnight; payments are still ' +
      'credited. To end it: "kashbox links disable m4k8r2w9xh5c".',
  ],
  [
    { kind: 'payment.completed', detail: { ...payment, ...shop, amount: '500.00' } },
    '500.00 BDT from রহিম for Alo Store (mfs_a). Payment AB12CD34EF56 is completed.',
  ],
  [
    {
      kind: 'review.waiting',
      detail: { ...payment, ...shop, amount: '510.00', reason: 'overpaid', verification: 'rev_1' },
    },
    'Payment AB12CD34EF56 needs manual review: রহিম owes Alo Store 510.00 BDT and claims DHL7CD1EF2 (mfs_a). ' +
      'Reason: overpaid. See "kashbox verifications show rev_1".',
  ],
  [
    { kind: 'webhook.failed', detail: { brand: 'Alo Store', host: 'shop.example', outcome: 'timeout' } },
    'The shop "Alo Store" at shop.example could not be notified of a payment, and no more attempts are made ' +
      '(timeout). When it works again: "kashbox webhooks replay --failed".',
  ],
  [
    {
      kind: 'node.down',
      detail: { source: 'The node https://a.example', failing_since: gap.from, failure: 'timeout' },
    },
    'The node https://a.example has not answered since 2026-08-21 12:30 (timeout). USDT payments may be delayed. See ' +
      '"kashbox doctor".',
  ],
  [
    { kind: 'node.recovered', detail: { source: 'The node https://a.example', failing_since: gap.from } },
    'The node https://a.example answers again. It had failed since 2026-08-21 12:30.',
  ],
  [
    { kind: 'security.key_guessing', detail: { address: '203.0.113.9', limit: 30 } },
    'Someone at 203.0.113.9 tries keys that do not exist, more than 30 per minute. Such requests are refused. If ' +
      'this is one of your shops, its key is wrong: "kashbox keys list".',
  ],
  [
    { kind: 'backup.failed', detail: { reason: 'the disk is full' } },
    'The nightly backup was not created: the disk is full. See "kashbox doctor".',
  ],
];
for (const [index, [news, sentence]] of sentences.entries()) {
  test(`${index + 1}: ${news.kind} is described in words`, (t) =>
    t.is(alertText(news, 'Shop phone'), sentence));
}

test('where no phone is named the sentence still has a subject', (t) => {
  t.is(
    alertText({ kind: 'device.battery_low', detail: { battery: 12 } }, null),
    'A phone has 12% of its battery left and is not charging.',
  );
});

test('an incident stays open until it is ended; good news and single events do not', (t) => {
  const open: readonly AlertKind[] = [
    'device.offline',
    'device.battery_low',
    'device.problem',
    'sms.gap',
    'node.down',
  ];
  for (const [{ kind }] of sentences) t.is(kindFacts(kind).lasts, open.includes(kind), kind);
});

const device = { id: 'dev_1', name: 'Shop phone' };
const merchant = { id: 'mer_1', name: 'Alo Store' };
const at = Date.UTC(2026, 7, 21, 6, 35);

test('an alert is JSON with a sentence, and the same in words for a command', (t) => {
  const news = { kind: 'device.battery_low', detail: { battery: 12 } } as const;
  const { id, content, message, words } = alertPayload({ id: 'alr_1', at, news, device, merchant });
  const sentence = 'The phone "Shop phone" has 12% of its battery left and is not charging.';
  t.deepEqual([id, message], ['alr_1', sentence]);
  t.deepEqual(JSON.parse(content), {
    event: 'device.battery_low',
    id: 'alr_1',
    created_at: '2026-08-21T06:35:00.000Z',
    device,
    merchant,
    detail: { battery: 12 },
    message: sentence,
    text: sentence,
  });
  t.deepEqual(words, {
    '': sentence,
    EVENT: 'device.battery_low',
    ID: 'alr_1',
    AT: '2026-08-21T06:35:00.000Z',
    DEVICE: 'Shop phone',
    DEVICE_ID: 'dev_1',
    MERCHANT: 'Alo Store',
  });
});

test('a test reports nothing and says so', (t) => {
  const { content, words } = alertPayload({ id: 'alr_2', at, news: null, device: null, merchant: null });
  const sentence = 'This is a test: alerts of Kashbox arrive here.';
  t.deepEqual(JSON.parse(content), {
    event: 'test',
    id: 'alr_2',
    created_at: '2026-08-21T06:35:00.000Z',
    device: null,
    merchant: null,
    detail: {},
    message: sentence,
    text: sentence,
  });
  t.deepEqual(words, {
    '': sentence,
    EVENT: 'test',
    ID: 'alr_2',
    AT: '2026-08-21T06:35:00.000Z',
    DEVICE: '',
    DEVICE_ID: '',
    MERCHANT: '',
  });
});

test('an alert that concerns no phone names its merchant', (t) => {
  const news = { kind: 'payment.other_merchant', detail: payment } as const;
  const { message, words } = alertPayload({ id: 'alr_3', at, news, device: null, merchant });
  t.is(message, alertText(news, null));
  t.like(words, { DEVICE: '', DEVICE_ID: '', MERCHANT: 'Alo Store' });
});

const quiet = (detail: AlertDetails['summary.quiet']) => alertText({ kind: 'summary.quiet', detail }, null);
const daily = (detail: AlertDetails['summary.daily']) => alertText({ kind: 'summary.daily', detail }, null);

test('quiet hours are summarised as the count of each kind, the sum of payments and the newest sentences', (t) => {
  const counts = { 'payment.completed': 2, 'device.recovered': 1 };
  const two = quiet({ counts, paid: '1250.00', messages: ['Second.', 'First.'] });
  t.is(
    two,
    [
      'Held back in your quiet hours: 3 alerts.',
      '- payment.completed: 2, 1250.00 BDT',
      '- device.recovered: 1',
      'The newest 2:',
      '- Second.',
      '- First.',
    ].join('\n'),
  );
});

test('a summary with all sentences says that it is in full, and counts one alert as one', (t) => {
  const one = quiet({ counts: { 'device.recovered': 1 }, paid: '0.00', messages: ['It is back.'] });
  t.is(one, 'Held back in your quiet hours: 1 alert.\n- device.recovered: 1\nIn full:\n- It is back.');
});

const day = {
  date: '2026-08-21',
  whole: true,
  completed: 1,
  paid: '500.00',
  channels: [{ channel: 'mfs_a', completed: 1, paid: '500.00' }],
  reviews_waiting: 2,
  webhooks_dead: 3,
  phones_offline: ['counter-1', 'counter-2'],
  unclaimed: 4,
  unclaimed_amount: '70.00',
  refunded: '0.00',
  refunds_pending: 0,
};

test('a daily summary lists its channels and open work', (t) => {
  t.is(
    daily(day),
    [
      '2026-08-21: 1 payment completed, 500.00 BDT.',
      '- mfs_a: 1, 500.00 BDT',
      'Verifications waiting: 2',
      'Unclaimed money: 4, 70.00 BDT',
      'Notifications failed permanently: 3',
      'Phones offline: counter-1, counter-2',
    ].join('\n'),
  );
});

test('an unfinished day is marked, and no offline phone is shown as none', (t) => {
  const lines = daily({ ...day, whole: false, completed: 2, channels: [], phones_offline: [] }).split('\n');
  const refunds = daily({ ...day, refunded: '20.00', refunds_pending: 1 });
  t.true(
    refunds.includes('\nRefunded: 20.00 BDT\nRefunds to send: 1, see "kashbox refunds list --pending"\n'),
  );
  t.is(lines[0], '2026-08-21 so far: 2 payments completed, 500.00 BDT.');
  t.is(lines[1], 'Verifications waiting: 2');
  t.is(lines.at(-1), 'Phones offline: none');
});

const chosenBy = (words: string) => ALERT_KINDS.filter((kind) => isChosen(words, kind));

test('by default all alerts are sent except completed payments', (t) => {
  t.deepEqual(
    ALERT_KINDS.filter((kind) => !chosenBy('default').includes(kind)),
    ['payment.completed'],
  );
});

test('each kind is in one group, and all are in "all"', (t) => {
  const grouped = [...chosenBy('money'), ...chosenBy('devices'), ...chosenBy('system')];
  t.deepEqual(grouped.toSorted(), [...ALERT_KINDS].toSorted());
  t.deepEqual(chosenBy('all'), ALERT_KINDS);
});

test('groups and kinds add up, and a summary is chosen by nobody', (t) => {
  t.deepEqual(chosenBy('payment.completed sms.gap'), ['sms.gap', 'payment.completed']);
  for (const kind of ['summary.daily', 'summary.quiet'] as AlertKind[])
    t.false(isChosen('all default', kind));
});

test('words are read in any case and order, each once; the first unknown one is named', (t) => {
  t.deepEqual(parseChoice(' Money, review.waiting,money '), { chosen: 'money review.waiting' });
  t.deepEqual(parseChoice('money,payments'), { unknown: 'payments' });
  t.deepEqual(parseChoice(' , '), { unknown: '' });
  t.deepEqual(parseChoice('summary.daily'), { unknown: 'summary.daily' });
});
