/** One SMS that a forwarder app hands over in parts: its money is reviewed, and nobody's by rule. */
import test from 'ava';
import { authenticateDevice } from '../../../src/actions/access/authenticate-device.js';
import { forwardSms } from '../../../src/actions/relay/forward-sms.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { reparseSms } from '../../../src/actions/sms/reparse-sms.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

const MIN = 60_000;

async function stage(t: Parameters<typeof scene>[0], engine: (typeof engines)[number]) {
  const at = await scene(t, engine);
  const { core, shop } = at;
  const device = () => authenticateDevice(core, { key: shop.deviceKey });
  const forward = async (body: string, sender = 'bKash') =>
    forwardSms(core, {
      device: await device(),
      format: 'sender-body',
      fields: { sender, body, sim: 'sim1' },
    });
  let next = 0;
  const sync = async (...bodies: string[]) => {
    const messages = bodies.map((body) => ({ id: `m${next++}`, sender: 'bKash', body, sim_slot: 1 }));
    return (await syncDevice(core, { device: await device(), messages, health: null })).results;
  };
  /** @returns how a payment of 500 taka ends that names this money. */
  const pay = async (trxId: string) => answer(core, shop, await shop.order(50_000), trxId);
  return { ...at, forward, sync, pay };
}

const tornAt = (text: string, place: number) => [text.slice(0, place), text.slice(place)] as const;
const tornBehind = (text: string, words: string) => tornAt(text, text.indexOf(words) + words.length);

for (const engine of engines) {
  test(`${engine}: two parts in either order go to review as one text`, async (t) => {
    const { clock, core, money, forward, pay } = await stage(t, engine);
    for (const isTurned of [false, true]) {
      clock.advance(5 * MIN);
      const { trxId, text } = money('500.00');
      const parts = tornBehind(text, ' Balance');
      for (const part of isTurned ? parts.toReversed() : parts) {
        t.is(await forward(part), 'stored');
        clock.advance(9_000);
      }
      t.is(await pay(trxId), 'under_review');
      const [first, last] = (await rows(core, 'sms')).slice(-2);
      t.is(first?.body, parts[isTurned ? 1 : 0]);
      t.like(last, { body: text, settle: 'review', reasons: '["parts_joined"]', trx_id: trxId });
      for (const part of parts) await forward(part);
    }
    await reparseSms(core, { who: 'test' });
    t.is((await rows(core, 'proofs')).length, 2, 'parts that come once more make no new money');
    t.deepEqual(await rows(core, 'transactions'), []);
  });

  test(`${engine}: parts that come at the same moment are joined all the same`, async (t) => {
    const { money, forward, pay } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    await Promise.all(tornBehind(text, ' Balance').map((part) => forward(part)));
    t.is(await pay(trxId), 'under_review');
  });
}

test('an SMS split at any position sends its money to review at most', async (t) => {
  const { clock, core, money, forward, pay } = await stage(t, 'sqlite');
  const { length } = money('500.00').text;
  for (let place = 1; place < length; place += 1) {
    clock.advance(5 * MIN);
    const { trxId, text } = money('500.00');
    for (const part of tornAt(text, place)) await forward(part);
    t.is(await pay(trxId), 'under_review', JSON.stringify(tornAt(text, place)));
  }
  t.deepEqual(await rows(core, 'transactions'), []);
});

test('three parts, and parts in one batch of a phone, are joined; the whole SMS ends the doubt', async (t) => {
  const { money, sync, pay } = await stage(t, 'sqlite');
  const { trxId, text } = money('500.00');
  await sync(text.slice(0, 40), text.slice(40, 75), text.slice(75));
  t.is(await pay(trxId), 'under_review');
  await sync(text);
  t.is(await pay(trxId), 'already_credited');
});

test('parts of two SMS that mix are joined in their order', async (t) => {
  const { money, forward, pay } = await stage(t, 'sqlite');
  const [one, two] = [money('500.00'), money('700.00')];
  const torn = [one, two].map(({ text }) => tornBehind(text, ' Balance'));
  for (const part of torn.map(([first]) => first)) await forward(part);
  for (const part of torn.map(([, last]) => last)) await forward(part);
  t.is(await pay(one.trxId), 'under_review');
});

test('parts that are minutes apart, or of two senders, stay what they are', async (t) => {
  const { clock, money, forward, pay } = await stage(t, 'sqlite');
  const late = money('500.00');
  const [first, last] = tornBehind(late.text, ' Balance');
  await forward(first);
  clock.advance(3 * MIN);
  await forward(last);
  t.is(await pay(late.trxId), 'transaction_not_found');
  const forged = money('500.00');
  const [begin, end] = tornBehind(forged.text, ' Balance');
  await forward(begin, '01711000099');
  await forward(end);
  t.is(await pay(forged.trxId), 'transaction_not_found');
});
