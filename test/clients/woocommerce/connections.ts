/** Connecting a shop: codes, keys, test mode, currencies, and what the connection test reports. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { simulatePayment } from '../../../src/actions/test-payments/simulate-payment.js';
import { newTlsPair, tlsPair } from '../../helpers/network/tls-pair.js';
import {
  create,
  goBack,
  isUnpaid,
  notesOf,
  orderOf,
  pay,
  placed,
  type Scenario,
  setSettings,
} from './world.js';

/** @returns the address of a server whose certificate nobody trusts */
async function untrusted(t: ExecutionContext<unknown>): Promise<string> {
  const server = createServer(await newTlsPair()).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const CONNECTIONS: readonly Scenario[] = [
  [
    'a payment is opened without notifications where Kashbox may not call the shop',
    async (t, at) => {
      const sent: { attempt: string; webhook: string | undefined }[] = [];
      const fake = createServer(await tlsPair(), async (request, response) => {
        const body = JSON.parse(await textOf(request)) as { readonly webhook_url?: string };
        const attempt = String(request.headers['idempotency-key']);
        sent.push({ attempt, webhook: body.webhook_url });
        const refuse = (status: number, message: string) =>
          response.writeHead(status).end(JSON.stringify({ status: false, message }));
        if (body.webhook_url !== undefined) return void refuse(422, 'The webhook_url may not be private');
        if (sent.length === 2) return void refuse(409, 'This idempotency_key was used for another request');
        const payment_url = `https://pay.example.com/api/execute/${'a'.repeat(32)}`;
        response.end(JSON.stringify({ status: true, payment_url }));
      }).listen(0, '127.0.0.1');
      t.teardown(() => fake.close());
      await once(fake, 'listening');
      const live = { url: at.ground.daemonUrl, key: at.place.key, secret: at.place.secret };
      const url = `https://127.0.0.1:${(fake.address() as AddressInfo).port}`;
      await setSettings(at.site, { enabled: 'yes', ...live, url });
      const { id } = await create(at.site);
      const { redirect } = await pay(at.site, id);
      await setSettings(at.site, { enabled: 'yes', ...live });
      t.is(redirect, `https://pay.example.com/api/execute/${'a'.repeat(32)}`);
      t.deepEqual(
        sent.map(({ webhook }) => webhook),
        [`${at.site.url}/?wc-api=kashbox`, undefined, undefined],
      );
      t.is(sent[0]?.attempt, sent[1]?.attempt);
      t.not(sent[1]?.attempt, sent[2]?.attempt);
    },
  ],
  [
    'an order in dollars is refused, and a shop in dollars does not offer Kashbox',
    async (t, at) => {
      const { id } = await create(at.site, '10.99', 'USD');
      const { result, notices } = await pay(at.site, id);
      t.is(result, 'failure');
      t.regex(notices[0]?.notice ?? '', /taka \(BDT\) only/);
      t.deepEqual((await orderOf(at.site, id)).payments, []);
      t.true(await at.site.command('isAvailable'));
      await at.site.command('set', { options: { woocommerce_currency: 'USD' } });
      t.false(await at.site.command('isAvailable'));
      const faults = await at.site.command<string[]>('test', { isTest: false });
      await at.site.command('set', { options: { woocommerce_currency: 'BDT' } });
      t.regex(faults.join('\n'), /currency is USD/);
    },
  ],
  [
    'the connection test says in one sentence what is wrong',
    async (t, at) => {
      const live = { enabled: 'yes', url: at.ground.daemonUrl, key: at.place.key, secret: at.place.secret };
      const faultsWith = async (change: object) => {
        await setSettings(at.site, { ...live, ...change });
        return at.site.command<string[]>('test', { isTest: false });
      };
      const wrong: [change: object, sentence: RegExp][] = [
        [{ key: `bk_${'a'.repeat(43)}` }, /The Brand Key is not valid at 127\.0\.0\.1/],
        [{ secret: '' }, /connection is not complete/],
        [{ url: at.site.url }, /127\.0\.0\.1 answers, but it is not Kashbox/],
        [{ url: 'https://127.0.0.1:9' }, /127\.0\.0\.1 cannot be reached/],
        [{ url: await untrusted(t) }, /certificate of 127\.0\.0\.1 is not trusted/],
      ];
      for (const [change, sentence] of wrong) {
        const faults = await faultsWith(change);
        t.is(faults.length, 1, faults.join('\n'));
        t.regex(faults[0] ?? '', sentence);
      }
      // A login page in place of Kashbox: the customer is told, and nothing is opened.
      await setSettings(at.site, { ...live, url: at.site.url });
      const { id } = await create(at.site);
      t.is((await pay(at.site, id)).result, 'failure');
      t.deepEqual((await orderOf(at.site, id)).payments, []);
      t.deepEqual(await faultsWith({}), []);
    },
  ],
  [
    'test payments complete orders in test mode, marked, and none outside of it',
    async (t, at) => {
      const { ground, site } = at;
      const brand = await createBrand(ground.core, {
        merchant: at.name,
        name: `${at.name} test`,
        test: true,
        who: 'test',
      });
      const live = { enabled: 'yes', url: ground.daemonUrl, key: at.place.key, secret: at.place.secret };
      const test_ = {
        test_url: ground.daemonUrl,
        test_key: brand.brand_key,
        test_secret: brand.webhook_secret,
      };
      await setSettings(site, { ...live, ...test_, testmode: 'yes' });
      t.deepEqual(await site.command('test', { isTest: true }), []);
      const simulate = (link: string) =>
        simulatePayment(ground.core, { payment: link.slice(-32), play: 'exact', who: 'test' });

      const order = await placed(at);
      await simulate(order.link);
      await goBack(at, order);
      const marked = await orderOf(site, order.id);
      t.deepEqual([marked.status, marked.completed], ['processing', 1]);
      t.regex(notesOf(marked), /THIS IS A TEST/);

      const late = await placed(at);
      await setSettings(site, { ...live, ...test_ });
      await simulate(late.link);
      await goBack(at, late);
      const kept = await orderOf(site, late.id);
      isUnpaid(t, kept, 'pending');
      t.regex(notesOf(kept), /not in test mode/);
    },
  ],
  [
    'a connection code fills the settings, and no secret is printed',
    async (t, at) => {
      const live = { url: at.ground.daemonUrl, key: at.place.key, secret: at.place.secret };
      const codeOf = (parts: object) =>
        `kashbox1.${Buffer.from(JSON.stringify(parts)).toString('base64url')}`;
      const save = (fields: object) =>
        at.site.command<{ settings: Record<string, string>; html: string; errors: string[] }>('save', {
          fields,
        });
      await setSettings(at.site, {});
      const code = codeOf(live);
      const saved = await save({
        enabled: '1',
        code: ` ${code.slice(0, 30)}\r\n ${code.slice(30)}\u00a0\n`,
        title: 'Pay',
      });
      t.like(saved.settings, { ...live, enabled: 'yes', title: 'Pay', code: '' });
      t.deepEqual(saved.errors, []);
      const again = await save({
        enabled: '1',
        url: live.url,
        key: '',
        secret: '',
        code: code.slice(0, -20),
      });
      t.like(again.settings, live);
      t.regex(again.errors.join(), /not a whole connection code/);
      t.regex((await save({ url: live.url, key: 'test_abc' })).errors.join(), /must begin with bk_/);
      const tested = await save({ url: live.url, code: codeOf({ ...live, key: 'test_abc' }) });
      t.like(tested.settings, {
        ...live,
        test_url: live.url,
        test_key: 'test_abc',
        test_secret: live.secret,
      });
      for (const { html } of [saved, again, tested]) {
        for (const part of [live.key, live.secret, code]) t.false(html.includes(part));
        t.true(html.includes('?wc-api=kashbox'));
      }
      await setSettings(at.site, { enabled: 'yes', ...live });
    },
  ],
];
