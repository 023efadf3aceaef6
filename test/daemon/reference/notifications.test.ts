/** The section `webhooks` of the document against what is really sent to shops. */
import test from 'ava';
import { EXAMPLE, EXAMPLE_PAYMENT } from '../../../daemon/http/reference/notifications.js';
import {
  contentType,
  type NotificationEvent,
  type NotificationFacts,
  notificationContent,
  toNotificationEvent,
  WEBHOOK_FORMATS,
  type WebhookFormat,
} from '../../../src/domain/notifications/notification.js';
import { signatureHeaders } from '../../../src/notify/signature.js';
import { blocksOf, readPage } from '../../helpers/browser/pages.js';
import { openApi } from '../api.js';
import { getOpenApi, judgeOf } from './documented.js';

const { id } = EXAMPLE;
const PAYMENT: NotificationFacts = { ...EXAMPLE_PAYMENT, flow: 'hosted' };
const OPEN = { channel: null, metaJson: null, paidPaisa: 0 } as const;
const PART = { transactionId: 'DKL7CD1EF2', channel: 'mfs_a', paisa: 40_000, paidAt: 1 } as const;
const REFUND = { id: 'rfd_1', amountPaisa: 1, channel: 'mfs_a', transactionId: null, feePaisa: 500 } as const;
const PAYMENTS: readonly NotificationFacts[] = [
  PAYMENT,
  { ...PAYMENT, metadataAs: 'string', feePaisa: 925 },
  { ...PAYMENT, status: 'PENDING', channel: 'bank', paidPaisa: 0 },
  { ...PAYMENT, ...OPEN, status: 'FAILED' },
  { ...PAYMENT, flow: 'headless' },
  { ...PAYMENT, isTest: true },
  { ...PAYMENT, paidPaisa: 40_000, parts: [PART], refundedPaisa: 10_000, deliveryPaisa: 100, refund: REFUND },
  {
    ...PAYMENT,
    description: 'Order 17',
    items: [{ name: 'Discount', quantity: 1, pricePaisa: -50 }],
  },
  {
    ...PAYMENT,
    channel: 'bep20',
    units: '4166700000000000000',
    receiver: '0x7Ab1E5c0DE5A1E5b07705e1F5A1E0ddbA11CA5e5',
  },
  { ...PAYMENT, ...OPEN, flow: 'headless', status: 'FAILED' },
];

function sent(format: WebhookFormat, event: NotificationEvent, payment: NotificationFacts | null): unknown {
  const content = notificationContent(format, { id, event, sequence: 2, createdAt: 1 }, payment);
  return format === 'json' ? JSON.parse(content) : Object.fromEntries(new URLSearchParams(content));
}

test('the document describes every field that is sent, for every payment and in both formats', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const { faults } = judgeOf(document);
  const { payment, ping } = document.webhooks;
  for (const format of WEBHOOK_FORMATS) {
    const type = contentType(format);
    const media = payment?.post.requestBody?.content[type];
    const name = String(media?.schema.$ref).split('/').at(-1) ?? '';
    const told = Object.keys(document.components.schemas[name]?.properties ?? {});
    for (const facts of PAYMENTS) {
      const body = sent(format, toNotificationEvent(facts.status), facts);
      t.is(faults(media?.schema, body), '', format);
      t.deepEqual(
        Object.keys(body as object).filter((field) => !told.includes(field)),
        [],
      );
    }
    const isJson = format === 'json';
    for (const event of ['payment.disputed', 'payment.partial', 'payment.refunded'] as const) {
      const body = sent(format, event, { ...PAYMENT, parts: [PART], refund: REFUND });
      t.is(faults(media?.schema, body) === '', isJson, 'not sent to forms');
    }
    t.is(faults(ping?.post.requestBody?.content[type]?.schema, sent(format, 'ping', null)), '');
    t.not(faults(media?.schema, sent(format, 'ping', null)), '', 'a test is no payment');
    t.is(faults(media?.schema, media?.example), '');
  }
});

test('the document names the headers that are sent', async (t) => {
  const { webhooks } = await getOpenApi(await openApi(t));
  const headers = signatureHeaders({ id, at: 0, content: '', secrets: ['whsec_'] });
  for (const { post } of Object.values(webhooks)) {
    const told = (post.parameters ?? []).map(({ name }) => name.toLowerCase());
    t.deepEqual(told, Object.keys(headers));
  }
});

test('the example of the reference equals that of docs/webhooks.md, so that its signature is valid', async (t) => {
  const api = await openApi(t);
  const { webhooks } = await getOpenApi(api);
  const page = readPage('docs/webhooks.md');
  const { parameters = [], requestBody } = webhooks.payment?.post ?? {};
  t.is(parameters.length, 4);
  const example = requestBody?.content['application/json']?.example;
  const [body = ''] = blocksOf(page, 'json');
  const [headers = ''] = blocksOf(page, 'http');
  t.is(JSON.stringify(example), body.trim());
  for (const { name, example: value = '' } of parameters) {
    t.true(value !== '' && headers.includes(`${name}: ${value}\n`), name);
  }
});

test('the reference for people shows both kinds as they are sent', async (t) => {
  const { body } = await (await openApi(t)).callBare('/docs', { method: 'GET' });
  for (const name of ['onPaymentEvent', 'onPing']) {
    t.true(body.includes(`href="#${name}"`));
    const [, place = ''] = body.split(`id="${name}"`);
    const [article = ''] = place.split('</article>');
    t.regex(article, /X-Service-Signature: t=1795249985,v1=[0-9a-f]{64}\n/);
    t.false(article.includes('curl'));
  }
});
