/** The demo's step about a notification fails where signature or content are not what they must be. */
import test, { type ExecutionContext } from 'ava';
import { KashboxError } from '../../src/base/errors/errors.js';
import { systemClock } from '../../src/base/values/clock.js';
import { newWebhookSecret, systemRandom } from '../../src/base/values/ids.js';
import { expectNotification, isSigned, openNotices, type ShopNotification } from '../../src/demo/shop.js';
import { createSender } from '../../src/notify/send.js';
import { signatureHeaders } from '../../src/notify/signature.js';

const secret = newWebhookSecret(systemRandom);
const BODY = { event: 'payment.completed', sequence: 1, transaction_id: 'DKL7CD1EF2', amount: 500 };
const SENT = { at: 0, what: 'the SMS arrived' };

async function openShop(t: ExecutionContext, trusted: string | null) {
  const stop = new AbortController();
  t.teardown(() => stop.abort());
  const notices = await openNotices(systemClock, stop.signal);
  if (trusted !== null) notices.trust(trusted);
  const tell = async (body: object) => {
    const content = JSON.stringify(body);
    const headers = signatureHeaders({ id: 'ntf_0', at: Date.now(), content, secrets: [secret] });
    const post = { url: notices.url, content, contentType: 'application/json', headers, allowPrivate: true };
    t.is((await createSender().send(post)).outcome, 'delivered');
  };
  return { notices, tell };
}

test('a signed notification with the expected content is shown in three lines', async (t) => {
  const { notices, tell } = await openShop(t, secret);
  const heard: ShopNotification[] = [];
  notices.coming.on('heard', (notice) => heard.push(notice));
  await tell(BODY);
  const lines: string[] = [];
  await expectNotification(notices, BODY, SENT, (mark) => lines.push(mark));
  t.deepEqual(lines, ['>', '<', '.']);
  t.deepEqual(heard.map(isSigned), [true]);
});

test('a notification under another secret, or before any is known, fails the step', async (t) => {
  for (const trusted of [newWebhookSecret(systemRandom), null]) {
    const { notices, tell } = await openShop(t, trusted);
    await tell(BODY);
    const failed = expectNotification(notices, BODY, SENT, () => {});
    const error = await t.throwsAsync(failed, { instanceOf: KashboxError });
    t.regex(error?.message ?? '', /Expected two valid signatures, got "(wrong|unchecked)"/);
  }
});

test('a notification that says something else, or comes twice, fails the step', async (t) => {
  const other = await openShop(t, secret);
  await other.tell({ ...BODY, amount: 5_000 });
  const wrong = expectNotification(other.notices, BODY, SENT, () => {});
  await t.throwsAsync(wrong, { instanceOf: KashboxError, message: /"amount":500\} once, got .*5000/ });

  const twice = await openShop(t, secret);
  const { notices, tell } = twice;
  await tell({ ...BODY, transaction_id: 'ANOTHER' });
  await tell(BODY);
  const repeated = expectNotification(notices, BODY, SENT, () => {});
  await t.throwsAsync(repeated, { instanceOf: KashboxError, message: / once, got / });
});
