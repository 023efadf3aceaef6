import test from 'ava';
import { namedGateway } from '../../../src/actions/access/authenticate-gateway.js';
import { revokeDevice } from '../../../src/actions/devices/enroll-device.js';
import { findDispatch, listDispatches } from '../../../src/actions/dispatches/dispatches.js';
import { sendDispatch } from '../../../src/actions/dispatches/send-dispatch.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { openSendingShop } from '../../helpers/shop/dispatches.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { auditOf } from '../../helpers/stores/rows.js';

for (const engine of engines) {
  test(`${engine}: an SMS is queued as it was written, with its number in one form`, async (t) => {
    const { core, shop, send } = await openSendingShop(t, engine);
    const told: string[] = [];
    core.called.listen(shop.deviceId, () => told.push('called'));
    const message = '  আপনার অর্ডার\n৳500 প্রস্তুত 😀 ';
    const id = await send({ number: '০১৭১২-৩৪৫৬৭৮', message, simSlot: 1, priority: 7, ttlSeconds: 60 });
    t.regex(id, /^dsp_[0-9a-f]{24}$/);
    t.like(await findDispatch(core, { id, deviceId: null }), {
      device: shop.device.name,
      number: '+8801712345678',
      message,
      state: 'QUEUED',
      encoding: 'UCS-2',
      parts: 1,
      sim_slot: 1,
      priority: 7,
      queued_at: '2026-08-21T12:35:00+06:00',
      expires_at: '2026-08-21T12:36:00+06:00',
    });
    t.deepEqual(told, ['called'], 'whoever waits for the phone is told after the commit');
    await t.throwsAsync(findDispatch(core, { id, deviceId: 'dev_other' }), { message: /no outbound SMS/ });
  });

  test(`${engine}: the same key and content is the same SMS, other content is refused`, async (t) => {
    const { core, shop, clock, send } = await openSendingShop(t, engine);
    const key = { idempotencyKey: 'order-17' };
    const id = await send(key);
    clock.advance(1_000);
    t.is(await send({ ...key, number: '+8801812345678' }), id, 'the number is the same, otherwise typed');
    for (const change of [{ message: 'Other' }, { number: '01812345679' }, { simSlot: 1 }]) {
      await t.throwsAsync(send({ ...key, ...change }), { message: /used for another message/ });
    }
    const other = await openShop(core, 'Other', '01711000002');
    const gateway = await namedGateway(core, other.deviceId);
    t.not(await send({ ...key, gateway }), id, 'keys are of one phone');
    t.not(await send(), await send(), 'without a key each is one of its own');
    t.is((await listDispatches(core, { device: shop.deviceId, limit: 9 })).length, 3);
  });

  test(`${engine}: of many that send under one key at once all get the one SMS`, async (t) => {
    const { core, shop, send } = await openSendingShop(t, engine);
    const ids = await Promise.all(Array.from({ length: 8 }, () => send({ idempotencyKey: 'once' })));
    t.is(new Set(ids).size, 1);
    t.is((await listDispatches(core, { device: shop.deviceId, limit: 9 })).length, 1);
  });

  test(`${engine}: a full queue refuses, takes repeats all the same, and has room once something left it`, async (t) => {
    const { clock, send, ask } = await openSendingShop(t, engine, { env: { KASHBOX_DISPATCH_QUEUE: '3' } });
    await send({ idempotencyKey: 'a', ttlSeconds: 60 });
    await send();
    await send({ ttlSeconds: 60 });
    const full = await t.throwsAsync(send(), {
      message: /^\d SMS wait for this phone, which was never seen$/,
    });
    t.like(full, { status: 429, retryAfterSeconds: 60 });
    await t.notThrowsAsync(send({ idempotencyKey: 'a', ttlSeconds: 60 }));
    clock.advance(60_000);
    await t.notThrowsAsync(send(), 'what expired waits no longer');
    await ask('j1');
    await t.notThrowsAsync(send());
  });

  test(`${engine}: the audit records dispatches of an operator, not those of a shop`, async (t) => {
    const { core, send } = await openSendingShop(t, engine);
    const [own, shops] = [await send({ who: 'cli:test' }), await send()];
    const [row] = await auditOf(core, own);
    t.like(row, { who: 'cli:test', action: 'dispatch.send' });
    t.deepEqual(await auditOf(core, shops), []);
  });

  test(`${engine}: lists narrow by phone, state and time`, async (t) => {
    const { core, clock, shop, send, ask } = await openSendingShop(t, engine);
    const old = await send({ ttlSeconds: 60 });
    clock.advance(120_000);
    const taken = await send();
    await ask('j1');
    clock.advance(1_000);
    const fresh = await send();
    const list = async (input: Partial<Parameters<typeof listDispatches>[1]>) =>
      (await listDispatches(core, { limit: 9, ...input })).map(({ id }) => id);
    t.deepEqual(await list({}), [fresh, taken, old], 'newest first');
    t.deepEqual(await list({ state: 'QUEUED' }), [fresh]);
    t.deepEqual(await list({ state: 'EXPIRED' }), [old]);
    t.deepEqual(await list({ state: 'LEASED', device: shop.deviceId }), [taken]);
    t.deepEqual(await list({ sinceMs: clock.now() - 1, state: 'EXPIRED' }), []);
    t.is((await list({ limit: 1 })).length, 1);
  });
}

const REFUSED = [
  [{ number: '' }, 'field_required', 'number is required'],
  [{ number: 'bKash' }, 'number_invalid', /give 01XXXXXXXXX, or \+ and the country code/],
  [{ message: '' }, 'field_required', 'message is required'],
  [{ message: ' \n ' }, 'field_invalid', /nothing that could be read/],
  [{ message: 'a\0' }, 'field_invalid', /NUL/],
  [{ message: 'a'.repeat(1_531) }, 'message_too_long', /longer than 10 SMS/],
  [{ simSlot: 2 }, 'field_invalid', "sim_slot must be one of this phone's: 1"],
  [{ ttlSeconds: 59 }, 'field_invalid', 'ttl_seconds must be a whole number from 60 to 259200'],
  [{ ttlSeconds: 259_201 }, 'field_invalid', /ttl_seconds/],
  [{ ttlSeconds: 60.5 }, 'field_invalid', /ttl_seconds/],
  [{ priority: 128 }, 'field_invalid', 'priority must be a whole number from -128 to 127'],
  [{ priority: -129 }, 'field_invalid', /priority/],
  [{ idempotencyKey: 'a b' }, 'field_invalid', /idempotency_key/],
  [{ idempotencyKey: 'a'.repeat(256) }, 'field_invalid', /idempotency_key/],
] as const;

test('an invalid dispatch is rejected with a remedy, and nothing is queued', async (t) => {
  const { core, send } = await openSendingShop(t, 'sqlite');
  for (const [change, code, message] of REFUSED) {
    const error = await t.throwsAsync(send(change), { message });
    t.is((error as { code?: string } | undefined)?.code, code);
  }
  t.deepEqual(await listDispatches(core, { limit: 9 }), []);
});

test('nobody sends through a phone that is revoked, and one that is silent is said to be', async (t) => {
  const { core, shop } = await openSendingShop(t, 'sqlite');
  const gateway = await namedGateway(core, shop.deviceId);
  const input = { gateway, number: '01812345678', message: 'Hello', who: null };
  t.true((await sendDispatch(core, input)).isPhoneOffline);
  await shop.receive();
  t.false(
    (await sendDispatch(core, { ...input, gateway: await namedGateway(core, shop.deviceId) })).isPhoneOffline,
  );
  const merchant = { merchant: shop.merchantId, who: 'test' };
  await changeMerchantStatus(core, { ...merchant, status: 'SUSPENDED' });
  await t.throwsAsync(namedGateway(core, shop.deviceId), { message: /suspended/ });
  await changeMerchantStatus(core, { ...merchant, status: 'ACTIVE' });
  await revokeDevice(core, { device: shop.deviceId, who: 'test' });
  await t.throwsAsync(namedGateway(core, shop.deviceId), { message: /is revoked/ });
});

test('a full queue says how many wait and when the phone was last seen', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock, env: { KASHBOX_DISPATCH_QUEUE: '1' } });
  const shop = await openShop(core);
  await shop.receive();
  const send = async () => {
    const gateway = await namedGateway(core, shop.deviceId);
    const ttlSeconds = 86_400;
    return sendDispatch(core, { gateway, number: '01812345678', message: 'Hello', ttlSeconds, who: null });
  };
  await send();
  const seen: readonly (readonly [minutes: number, text: string])[] = [
    [0, 'was last seen less than a minute ago'],
    [5, 'was last seen 5 minutes ago'],
    [120, 'has been offline for 2 hours 5 minutes'],
  ];
  for (const [minutes, text] of seen) {
    clock.advance(minutes * 60_000);
    await t.throwsAsync(send(), { message: `1 SMS wait for this phone, which ${text}` });
  }
});
