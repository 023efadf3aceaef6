/**
 * Fifty senders, two daemons on one store, three phones, and everything that goes wrong on the way: daemons
 * are killed, every fifth answer to a phone is lost. Every SMS leaves a phone once.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { openCore } from '../../src/actions/core/core.js';
import { enrollDevice } from '../../src/actions/devices/enroll-device.js';
import { listDispatches } from '../../src/actions/dispatches/list-dispatches.js';
import { startSendingPhone } from '../helpers/outside/sending-phone.js';
import { type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { openShop } from '../helpers/shop/shop.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { amount } from '../helpers/tiers.js';
import { until } from '../helpers/until.js';

const SENDERS = 50;
const EACH = amount(2, 20);
const ALL = SENDERS * EACH;
/** A daemon is killed in each but the last when so many of it were accepted, and the rest is under way. */
const ROUNDS = amount(2, 4);
const KILL_AFTER = ALL / ROUNDS / 5;
/** The minute's budget is another test's subject. */
const ENV = { KASHBOX_PARTS_A_MINUTE: '100000' };

interface PhoneKeys {
  readonly deviceKey: string;
  readonly gatewayKey: string;
}

async function enrollPhones(home: string): Promise<readonly PhoneKeys[]> {
  const core = await openCore({ folder: home, env: {} });
  try {
    const { merchantId: merchant } = await openShop(core);
    const phones: PhoneKeys[] = [];
    for (const name of ['one', 'two', 'three']) {
      const made = await enrollDevice(core, { merchant, name, sims: ['1=01711000001'], who: 'test' });
      phones.push({ deviceKey: made.device_key, gatewayKey: made.gateway_key });
    }
    return phones;
  } finally {
    await core.close();
  }
}

/** Sends until it is accepted: of a lost answer nobody knows whether it was; the key makes it the same. */
async function sendSurely(next: () => Daemon, phone: PhoneKeys, n: number, over: AbortSignal) {
  const headers = { 'gateway-key': phone.gatewayKey, 'idempotency-key': `n${n}` };
  for (;;) {
    over.throwIfAborted();
    const body = { number: '01812345678', message: `Order ${n} is ready` };
    const answer = await next()
      .post('/api/v2/gateway/send', headers, body)
      .catch(() => null);
    if (answer?.status === 200) return (answer.body.data as { readonly id: string }).id;
    await sleep(20);
  }
}

/** @returns the daemons of now, and how to kill one, which then starts anew where it was. */
async function openDaemons(t: ExecutionContext, home: string) {
  const daemons = [await startDaemon(t, { home, env: ENV }), await startDaemon(t, { home, env: ENV })];
  let turn = 0;
  const next = (): Daemon => {
    turn += 1;
    const daemon = daemons[turn % daemons.length];
    if (daemon === undefined) throw new TypeError('there is no daemon');
    return daemon;
  };
  const killOne = async (index: number) => {
    const killed = daemons[index];
    if (killed === undefined) throw new TypeError('there is no such daemon');
    killed.process.kill('SIGKILL');
    await killed.process.ended;
    daemons[index] = await startDaemon(t, { home, env: ENV, port: Number(new URL(killed.url).port) });
  };
  return { next, killOne };
}

test.serial('SMS of 50 senders leave 3 phones once each, whatever is killed or lost', async (t) => {
  t.timeout(600_000);
  const home = await temporaryFolder(t);
  const keys = await enrollPhones(home);
  const { next, killOne } = await openDaemons(t, home);
  const ca = readFileSync(join(home, 'tls', 'cert.pem'));
  const phones = keys.map((phone, n) =>
    startSendingPhone(phone.deviceKey, ca, () => next().url, `journal-${n}`),
  );
  const accepted = new Set<string>();
  // A test that has failed must not send for ever.
  const over = new AbortController();
  t.teardown(() => over.abort());
  const sender = async (first: number) => {
    for (let n = first; n < first + EACH / ROUNDS; n += 1) {
      const phone = keys[n % keys.length];
      if (phone !== undefined) accepted.add(await sendSurely(next, phone, n, over.signal));
    }
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = (round * ALL) / ROUNDS;
    const sending = Promise.all(
      Array.from({ length: SENDERS }, (_, n) => sender(first + (n * EACH) / ROUNDS)),
    );
    if (round < ROUNDS - 1) {
      await until(() => accepted.size >= first + KILL_AFTER);
      await killOne(round % 2);
    }
    await sending;
  }
  t.is(accepted.size, ALL);
  const settled = () => phones.reduce((sum, phone) => sum + phone.settled.size, 0);
  await until(() => settled() >= ALL);
  await Promise.all(phones.map((phone) => phone.stop()));

  t.deepEqual(
    phones.flatMap(({ faults }) => faults),
    [],
  );
  const sends = phones.flatMap((phone) => [...phone.sends]);
  t.deepEqual(sends.map(([id]) => id).sort(), [...accepted].sort());
  t.deepEqual(
    sends.filter(([, times]) => times !== 1),
    [],
  );
  const lost = phones.reduce((sum, phone) => sum + phone.lost(), 0);
  t.log(`${lost} answers were lost on the way to the phones`);
  t.true(lost > 0);

  const core = await openCore({ folder: home, env: {} });
  t.teardown(() => core.close());
  const rows = await listDispatches(core, { limit: 2 * ALL });
  t.is(rows.length, ALL);
  t.deepEqual(
    rows.filter(
      ({ state, ended_at }) => !['SENT', 'DELIVERED', 'FAILED'].includes(state) || ended_at === null,
    ),
    [],
  );
});
