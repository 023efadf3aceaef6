/** Two phones with one SIM list: what both bring is stored once, whatever their clocks say. */
import test, { type ExecutionContext } from 'ava';
import { enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { hashKey } from '../../../src/base/io/secret.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

const OFFER = 'Recharge Tk 50 today and get 1 GB. Dial *247#';

/** `bring` delivers a text as phone 0 or 1 does whose clock is so many seconds off. */
async function twoPhones(t: ExecutionContext<unknown>, engine: Engine) {
  const { clock, core, shop, money } = await scene(t, engine);
  const spare = { merchant: shop.merchantId, name: 'Spare', sims: [`1=${WALLET}`], who: 'test' };
  const { device, device_key: key } = await enrollDevice(core, spare);
  const second = { ...shop.device, deviceId: device.id, name: device.name, keyHash: hashKey(key) };
  let next = 0;
  const bring = async (phone: 0 | 1, body: string, offSeconds = 0, sender = 'bKash') => {
    next += 1;
    const received_at = dhakaIso(clock.now() + offSeconds * 1000);
    const messages = [{ id: `m${next}`, sender, body, received_at, sim_slot: 1 }];
    const from = phone === 0 ? shop.device : second;
    const { results } = await syncDevice(core, { device: from, messages, health: null });
    return results[0]?.state;
  };
  return { core, shop, money, bring };
}

for (const engine of engines) {
  test(`${engine}: a payment that both phones bring is one, and pays one order, however their clocks differ`, async (t) => {
    const { core, shop, money, bring } = await twoPhones(t, engine);
    const { text, trxId } = money('500.00');
    t.is(await bring(0, text), 'stored');
    for (const off of [0, 1, -7, 90]) t.is(await bring(1, text, off), 'duplicate', `${off} s`);
    t.is((await rows(core, 'sms')).length, 1);
    t.is((await rows(core, 'proofs')).length, 1);
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'completed');
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'already_credited');
  });

  test(`${engine}: a text without a transaction id is one within its second; with another it may be another`, async (t) => {
    const { core, bring } = await twoPhones(t, engine);
    t.is(await bring(0, OFFER), 'stored');
    t.is(await bring(1, OFFER), 'duplicate');
    t.is(await bring(1, OFFER, 3), 'stored', 'nothing that could be a second message is lost');
    t.is(await bring(0, OFFER, 3), 'duplicate');
    t.is((await rows(core, 'sms')).length, 2);
    t.is((await rows(core, 'proofs')).length, 0, 'and none of it is money');
  });

  test(`${engine}: two phones that bring the same payment at the same moment store it once`, async (t) => {
    const { core, money, bring } = await twoPhones(t, engine);
    const texts = Array.from({ length: 10 }, () => money('500.00').text);
    const states = await Promise.all(texts.flatMap((text) => [bring(0, text), bring(1, text, 2)]));
    t.is(states.filter((state) => state === 'stored').length, texts.length);
    t.is((await rows(core, 'sms')).length, texts.length);
  });
}
