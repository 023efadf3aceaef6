/**
 * docs/webhooks.md says what is really sent: the page's own example, tables and addresses are checked. So are
 * the schedule and the kinds in docs/alerts.md.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import test from 'ava';
import { EXAMPLE, EXAMPLE_PAYMENT } from '../../daemon/http/reference/notifications.js';
import { newRowId } from '../../src/base/values/ids.js';
import { numberWord } from '../../src/base/values/text.js';
import { ALERT_KINDS, kindFacts } from '../../src/domain/alerts/alert.js';
import { afterDelivery } from '../../src/domain/alerts/alert-target.js';
import { webhookFault } from '../../src/domain/notifications/address.js';
import {
  afterAttempt,
  MAX_TRIES,
  notificationContent,
  RETRY_DAYS,
  toNotificationEvent,
} from '../../src/domain/notifications/notification.js';
import { signatureHeaders } from '../../src/notify/signature.js';
import { blocksOf, codesOf, readPage, sectionOf, tableRows } from '../helpers/browser/pages.js';

const page = readPage('docs/webhooks.md');
const [jsonBody = ''] = blocksOf(page, 'json').map((block) => block.trim());
const [headers = ''] = blocksOf(page, 'http');
const script = blocksOf(sectionOf(page, 'The signature'), 'sh')[0] ?? '';

/** What the script on the page gives a name. */
function given(name: string): string {
  return new RegExp(`^${name}='([^']*)'$`, 'm').exec(script)?.[1] ?? '';
}

/** A header of the example on the page. */
function header(name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(headers)?.[1] ?? '';
}

test('the body on the page is what is made of that payment', (t) => {
  t.is(jsonBody, notificationContent('json', EXAMPLE, EXAMPLE_PAYMENT));
  const id = newRowId(randomBytes, EXAMPLE.createdAt, 'notification');
  t.is(id.length, EXAMPLE.id.length);
  t.is(id.slice(0, 15), EXAMPLE.id.slice(0, 15));
});

test('OpenSSL, called as the page says, computes the signatures on the page', (t) => {
  t.is(given('BODY'), jsonBody);
  const { status, stdout, stderr } = spawnSync('sh', ['-eu', '-c', script], { encoding: 'utf8' });
  t.is(status, 0, stderr);
  const [own, standard, ...rest] = stdout.trim().split('\n');
  t.deepEqual(rest, []);
  t.is(header('X-Service-Signature'), `t=${given('T')},v1=${own}`);
  t.is(header('webhook-signature'), `v1,${standard}`);
  t.deepEqual([header('webhook-id'), header('webhook-timestamp')], [given('ID'), given('T')]);
});

test('the headers on the page are those that are sent', (t) => {
  const at = EXAMPLE.createdAt;
  const sent = signatureHeaders({ id: given('ID'), at, content: jsonBody, secrets: [given('SECRET')] });
  t.deepEqual(sent, {
    'x-service-signature': header('X-Service-Signature'),
    'webhook-id': header('webhook-id'),
    'webhook-timestamp': header('webhook-timestamp'),
    'webhook-signature': header('webhook-signature'),
  });
});

test('the tables name every field of both bodies, and no other', (t) => {
  const [json = '', form = ''] = sectionOf(page, 'What').split('A brand with `--webhook-format form`');
  const named = (text: string) =>
    tableRows(text)
      .slice(1)
      .flatMap(([field = '']) => codesOf(field))
      .sort();
  const usdt = {
    ...EXAMPLE_PAYMENT,
    channel: 'bep20',
    units: '1',
    receiver: '0x',
    isTest: true,
    paidPaisa: 1,
    parts: [{ transactionId: 'DKL7CD1EF2', channel: 'mfs_a', paisa: 1, paidAt: 0 }],
    refundedPaisa: 1,
    deliveryPaisa: 1,
    refund: { id: 'rfd_1', amountPaisa: 1, channel: 'mfs_a', transactionId: 'DKL8RF0001', feePaisa: null },
    description: 'Order 17',
    items: [{ name: 'Shirt', quantity: 2, pricePaisa: 25_000 }],
  } as const;
  const [partial, refunded] = (['payment.partial', 'payment.refunded'] as const).map(
    (event) => JSON.parse(notificationContent('json', { ...EXAMPLE, event }, usdt)) as Record<string, object>,
  );
  const within = [
    ...Object.keys(partial?.part ?? {}).map((field) => `part.${field}`),
    ...Object.keys(refunded?.refund ?? {}).map((field) => `refund.${field}`),
    ...['transaction_id', 'payment_method', 'amount', 'paid_at'].map((field) => `parts[].${field}`),
    ...['name', 'quantity', 'price'].map((field) => `items[].${field}`),
  ];
  const all = new Set([...Object.keys({ ...partial, ...refunded }), ...within]);
  t.deepEqual(named(json), [...all].sort());
  const sent = new URLSearchParams(
    notificationContent('form', EXAMPLE, { ...EXAMPLE_PAYMENT, isTest: true, paidPaisa: 1 }),
  );
  t.deepEqual(named(form), [...sent.keys()].sort());
});

test('the table of events has every state of a payment', (t) => {
  const rows = tableRows(sectionOf(page, 'When')).slice(1);
  const told = rows.map(([event = '', , status = '']) => [codesOf(event)[0], codesOf(status)[0]]);
  const states = (['COMPLETED', 'PENDING', 'FAILED'] as const).map((status) => [
    toNotificationEvent(status),
    status,
  ]);
  const others = [
    ['payment.disputed', 'COMPLETED'],
    ['payment.partial', 'PENDING'],
    ['payment.refunded', 'COMPLETED'],
    ['ping', undefined],
  ];
  t.deepEqual(told, [...states, ...others]);
});

test('the schedule on the page is the one that is kept', (t) => {
  const [tries = [], waits = []] = tableRows(sectionOf(page, 'How to answer')).map((row) => row.slice(1));
  t.deepEqual(
    tries,
    Array.from({ length: MAX_TRIES }, (_item, at) => String(at + 1)),
  );
  const units: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 };
  const planned = waits.slice(0, -1).map((wait) => {
    const [number, unit = ''] = wait.split(' ');
    return { state: 'PENDING', waitMs: Number(number) * (units[unit] ?? Number.NaN) };
  });
  const failed = { outcome: 'timeout', retryAfterS: null } as const;
  const kept = tries.map((number) => afterAttempt(failed, Number(number), 0.5));
  t.deepEqual(kept, [...planned, { state: 'FAILED' }] as typeof kept);
});

test('introductions to notifications say for how long they are retried', (t) => {
  const days = `${numberWord(RETRY_DAYS)} days`;
  t.true(page.includes(`sent again until the shop answers 200, for about ${days}.`));
  t.true(readPage('README.md').includes(`sent again for ${days} until your server answers 200`));
});

const alertsPage = readPage('docs/alerts.md');

test('the page of alerts gives their schedule, and has a row for each kind', (t) => {
  const waits = [1, 2, 3, 4, 5].map((tries) => {
    const after = afterDelivery({ isDelivered: false, isBusy: false, retryAfterS: null }, tries);
    return after.state === 'PENDING' ? after.waitMs / 1_000 : null;
  });
  const [, seconds = '', more = '', minutes = '', last = ''] =
    /tried again after (\d+) s, (\d+) s, ([\d, ]+) and (\d+) minutes, and then fails permanently/.exec(
      alertsPage,
    ) ?? [];
  const inMinutes = [...minutes.split(', '), last].map((text) => Number(text) * 60);
  t.deepEqual(waits, [Number(seconds), Number(more), ...inMinutes]);
  const rows = tableRows(sectionOf(alertsPage, 'Events')).slice(1);
  const told = rows.map(([kind = '', , group = '', urgent]) => [codesOf(kind)[0], codesOf(group)[0], urgent]);
  const kept = ALERT_KINDS.map((kind) => [
    kind,
    kindFacts(kind).group,
    kindFacts(kind).urgent ? 'yes' : 'no',
  ]);
  t.deepEqual(told.toSorted(), kept.toSorted() as typeof told);
});

test('the addresses that the page calls refused are refused, and its own is not', (t) => {
  const rows = tableRows(sectionOf(page, 'Which addresses are called')).slice(1);
  const refused = rows.flatMap(([, examples = '']) => codesOf(examples));
  t.true(refused.length >= 13);
  for (const address of refused) t.not(webhookFault(new URL(address), false), null, address);
  const [, own = ''] = /--webhook-url (https:\S+)/.exec(page) ?? [];
  t.is(webhookFault(new URL(own), false), null);
  for (const port of [443, 8443, 9000]) {
    t.is(webhookFault(new URL(`https://shop.example.com:${port}/`), false), null);
  }
});
