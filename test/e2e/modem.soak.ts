/**
 * The real agent with two GSM modems (the real gammu-smsd at scripted modems) and the real daemon: SMS come
 * and go while any of the programs is killed, sticks are pulled out, and a modem stops to answer.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { openCore } from '../../src/actions/core/core.js';
import { type DispatchView, listDispatches } from '../../src/actions/dispatches/dispatches.js';
import { type Carrier, isRefused, partKey, startCarrier } from '../helpers/outside/carrier.js';
import { type ModemTill, openModemTill, replug } from '../helpers/outside/modem-till.js';
import { type Daemon, restartDaemon, startDaemon } from '../helpers/programs/daemon.js';
import { pairRelay } from '../helpers/programs/processes.js';
import { delaysOf, enrollIn, storedSms } from '../helpers/shop/relayed.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules } from '../helpers/stores/ledger-audit.js';
import { until, untilGrown } from '../helpers/until.js';

/** Of `npm run soak`: 50, which makes 2,000 SMS that come and 500 that go. */
const UNPLUGS = Number(process.env.KASHBOX_SOAK_UNPLUGS ?? 4);
const MEASURED = 2 * UNPLUGS;
const IN_A_ROUND = 38;
const SMS = MEASURED + IN_A_ROUND * UNPLUGS;
const DISPATCHES = 10 * UNPLUGS;
/** gammu-smsd is given most of a minute to answer: too long for a short run. */
const SILENT_AFTER = 25;
/** The minute's budget is another test's subject. */
const ENV = { KASHBOX_PARTS_A_MINUTE: '100000' };

/** Long ones are Bangla in several parts, of which each is unlike all others. */
const textOf = (n: number): string => (n % 10 === 1 ? `অর্ডার ${n} প্রস্তুত। `.repeat(6) : `Order ${n} is ready`);

/** One at a time, while nothing is in the way. */
async function measure(till: ModemTill, home: string): Promise<void> {
  for (let count = 1; count <= MEASURED; count += 1) {
    till.receive(1);
    await until(() => storedSms(home).length >= count);
    await sleep((count * 67) % 150);
  }
}

/** Sends until each is accepted; the key makes a second one the same. */
async function sendAll(daemonNow: () => Daemon, gatewayKey: string, over: AbortSignal): Promise<void> {
  for (let n = 1; n <= DISPATCHES; n += 1) {
    const headers = { 'gateway-key': gatewayKey, 'idempotency-key': `n${n}` };
    const body = { number: `0181${2_000_000 + n}`, message: textOf(n), sim_slot: 1 + (n % 2) };
    const send = () =>
      daemonNow()
        .post('/api/v2/gateway/send', headers, body)
        .then(({ status }) => status === 200)
        .catch(() => false);
    while (!(await send())) {
      over.throwIfAborted();
      await sleep(50);
    }
  }
}

/** The modem takes commands and never answers again, until its gammu-smsd was ended for it. */
async function stopAnswering({ modems, gammus }: ModemTill, at: number): Promise<void> {
  const modem = modems[at];
  if (modem === undefined) throw new TypeError('there is no such modem');
  const before = new Set(gammus());
  modem.onCommand = () => 'silent';
  await until(() => gammus().filter((pid) => before.has(pid)).length < before.size);
  modem.onCommand = () => null;
}

function faultsOf({ message, state, parts }: DispatchView, { sent, delivered }: Carrier): string[] {
  const n = Number(/\d+/.exec(message)?.[0]);
  const keys = Array.from({ length: parts }, (_, at) => partKey(n, at + 1));
  const counts = keys.map((key) => sent.get(key) ?? 0);
  const isAllSent = counts.every((count) => count === 1);
  const broken: Readonly<Record<string, boolean>> = {
    'sent twice': counts.some((count) => count > 1),
    'sent, and called failed': state === 'FAILED' && counts.some((count) => count > 0),
    'not sent, and called sent': ['SENT', 'DELIVERED'].includes(state) && !isAllSent,
    'not reported, and called delivered': state === 'DELIVERED' && !keys.every((key) => delivered.has(key)),
    'refused, and called something else': isRefused(n) && !['FAILED', 'UNKNOWN'].includes(state),
    'neither sent nor failed nor unknown': !['SENT', 'DELIVERED', 'FAILED', 'UNKNOWN'].includes(state),
  };
  return Object.keys(broken).flatMap((fault) =>
    broken[fault] === true ? `${message}: ${fault}, ${state}` : [],
  );
}

test.serial(
  'SMS over two modems, whatever is killed, pulled out or silent: all stored once, none sent twice',
  async (t) => {
    t.timeout(1_800_000);
    const [home, relay, folder] = [
      await temporaryFolder(t),
      await temporaryFolder(t),
      await temporaryFolder(t),
    ];
    const { code, gatewayKey } = await enrollIn(home, 'counter', ['1=01711000001', '2=01911000002']);
    let daemon = await startDaemon(t, { home, env: ENV });
    await pairRelay(t, daemon, code, relay);
    const till = await openModemTill(t, { relay, folder, count: 2 });
    const carrier = startCarrier(t, till.modems);
    let agent = till.start();
    await measure(till, home);
    t.log(`SMS to stored, undisturbed: ${delaysOf(storedSms(home), till.came)}`);

    const over = new AbortController();
    t.teardown(() => over.abort());
    const sending = sendAll(() => daemon, gatewayKey, over.signal);
    for (let round = 1; round <= UNPLUGS; round += 1) {
      const before = { stored: storedSms(home).length, sent: carrier.sent.size };
      till.receive(IN_A_ROUND);
      await replug(till.modems, round, (round * 61) % 700);
      if (round % 4 === 0) for (const pid of till.gammus()) process.kill(pid, 'SIGKILL');
      if (round % 4 === 1) {
        agent.kill('SIGKILL');
        await agent.ended;
        agent = till.start();
      }
      if (round % 4 === 2) daemon = await restartDaemon(t, daemon, { home, env: ENV }, (round * 37) % 500);
      // In every third round the next fault comes before the modems work again.
      const isOn = () => storedSms(home).length > before.stored && carrier.sent.size > before.sent;
      if (round % 3 > 0) await until(isOn);
      if (round === SILENT_AFTER) await stopAnswering(till, 0);
    }
    await sending;
    t.is(till.came.size, SMS);
    await untilGrown(() => storedSms(home).length, SMS);
    const core = await openCore({ folder: home, env: {} });
    t.teardown(() => core.close());
    const dispatches = () => listDispatches(core, { limit: 2 * DISPATCHES });
    const ended = async () => (await dispatches()).filter(({ ended_at }) => ended_at !== null).length;
    await untilGrown(ended, DISPATCHES);
    agent.kill('SIGTERM');
    t.is((await agent.ended).code, 0, agent.stderr());

    const stored = storedSms(home);
    t.is(stored.length, SMS, 'none is missing and none is there twice');
    const bodies = new Set(stored.map(({ body }) => body));
    t.deepEqual(
      [...till.came.keys()].filter((text) => !bodies.has(text)),
      [],
    );
    t.true(stored.every(({ smsc }) => smsc === '+8801700000600'));
    t.deepEqual(brokenRules(join(home, 'kashbox.db')), []);
    const rows = await dispatches();
    t.is(rows.length, DISPATCHES);
    t.deepEqual(
      rows.flatMap((row) => faultsOf(row, carrier)),
      [],
    );
    const countOf = (state: string) => rows.filter((row) => row.state === state).length;
    t.log(['SENT', 'DELIVERED', 'FAILED', 'UNKNOWN'].map((state) => `${state} ${countOf(state)}`).join(', '));
    t.true(countOf('DELIVERED') > DISPATCHES / 2);
  },
);
