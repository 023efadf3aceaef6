/** What do many phones cost that call every second, or keep a stream open, and how soon is one woken? */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Question, Run } from '../harness/figure.js';
import { callSteadily, openPhones, type SteadyLoad } from '../harness/phones.js';
import { median } from '../harness/rounds.js';
import { type Daemon, startDaemon } from '../harness/servers.js';
import { equip } from '../harness/shop.js';
import { ask, openLine, post } from '../harness/tls.js';
import { processorMs, residentMib } from '../harness/usage.js';

const PHONES = 500;
const STREAMS = 2_000;
/** Connections that are opened at once. */
const AT_ONCE = 20;
const DISPATCHES = 100;
/** Phones bring an SMS with every so many calls. */
const SMS_EVERY = 20;
/** V8 tidies up for some seconds once a rush is over. */
const AFTER_RUSH_MS = 15_000;

export const relay: Question = {
  word: 'relay',
  title: 'Relay phones',
  about:
    `${PHONES} phones that call \`POST /api/v2/relay/sync\` once a second, each over its own kept TLS ` +
    `connection and with its health, evenly spread; then also with an SMS in every ${SMS_EVERY}th call. ` +
    'Processor time is all that `kashbox daemon` uses meanwhile. Then ' +
    `${STREAMS} phones keep \`GET /api/v2/relay/events\` open, and one of them syncs whenever it is woken: ` +
    'from the call of `gateway/send` to the answer that carries the SMS.',
  async answer(run) {
    const home = run.folder('relay');
    const { keys, gatewayKeys } = await equip(home, STREAMS, async (shop) => ({
      keys: shop.deviceKeys,
      gatewayKeys: shop.gatewayKeys,
    }));
    // A phone may send 24 parts a minute; how many it may is not what is asked here.
    const daemon = await startDaemon(run, home, { KASHBOX_PARTS_A_MINUTE: '100000' });
    run.say(`${STREAMS} phones are there`);
    const seconds = run.quick ? 8 : 30;
    const phones = await openPhones(daemon, keys.slice(0, PHONES));
    const quiet = await measured(daemon, () => callSteadily(phones, { seconds, smsEvery: 0 }));
    const busy = await measured(daemon, () => callSteadily(phones, { seconds, smsEvery: SMS_EVERY }));
    for (const { line } of phones) line.secure.destroy();
    run.say('all calls were answered');
    const before = residentMib(daemon);
    const streams = await inTurn(keys, (key) => openStream(run, daemon, key));
    run.say('all streams are open');
    await sleep(AFTER_RUSH_MS);
    const after = residentMib(daemon);
    const idle = await measured(daemon, () => sleep(run.quick ? 5_000 : 20_000));
    const lost = streams.filter((stream) => !stream.isOpen()).length;
    if (lost > 0) throw new Error(`${lost} streams did not stay open`);
    const woken = await wakeUps(daemon, keys[0] ?? '', gatewayKeys[0] ?? '', streams[0]);
    const wrong = streams.slice(1).filter((stream) => stream.wakes() > 0).length;
    if (wrong > 0) throw new Error(`${wrong} phones were woken for the SMS of another`);
    return [
      ...figuresOf('calls', quiet),
      ...figuresOf('calls with SMS', busy),
      {
        name: `memory of ${STREAMS} streams`,
        value: after - before,
        unit: 'MiB',
        atMost: 150,
        detail: `${after.toFixed(0)} MiB against ${before.toFixed(0)} MiB without`,
      },
      {
        name: 'streams',
        value: idle.percent,
        unit: '% of a core',
        detail: 'while nothing happens',
      },
      {
        name: 'from send to phone',
        value: median(woken),
        unit: 'ms, p50',
        atMost: 300,
        detail: `${woken.length} SMS one after the other, the slowest ${Math.max(...woken).toFixed(0)} ms`,
      },
    ];
  },
};

interface Measured<Result> {
  readonly result: Result;
  /** Processor time of the daemon. */
  readonly percent: number;
}

async function measured<Result>(daemon: Daemon, work: () => Promise<Result>): Promise<Measured<Result>> {
  const [beganMs, usedMs] = [performance.now(), processorMs(daemon)];
  const result = await work();
  return { result, percent: (100 * (processorMs(daemon) - usedMs)) / (performance.now() - beganMs) };
}

function figuresOf(name: string, { result, percent }: Measured<SteadyLoad>) {
  const { count, seconds, p50Ms, p99Ms } = result;
  return [
    {
      name,
      value: percent,
      unit: '% of a core',
      atMost: 25,
      detail: `${Math.round(count / seconds)} calls a second`,
    },
    { name: `${name}: p99`, value: p99Ms, unit: 'ms', atMost: 50, detail: `p50 ${p50Ms.toFixed(1)} ms` },
  ];
}

async function inTurn<Result>(
  keys: readonly string[],
  work: (key: string) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    results.push(...(await Promise.all(keys.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}

interface Stream {
  isOpen(): boolean;
  /** How often it was woken so far. */
  wakes(): number;
  /** Called at once with every wake. */
  onWake(listener: () => void): void;
}

/** Resolves once the stream has begun. */
async function openStream(run: Run, daemon: Daemon, key: string): Promise<Stream> {
  const line = await openLine(daemon);
  const { secure } = line;
  run.atEnd(() => secure.destroy());
  let wakes = 0;
  let listener = () => {};
  ask(line, '/api/v2/relay/events', { accept: 'text/event-stream', 'device-key': key });
  const [head] = (await once(secure, 'data')) as [Buffer];
  if (!head.toString().startsWith('HTTP/1.1 200 ')) throw new Error(`a stream began with ${head}`);
  secure.on('data', (chunk: Buffer) => {
    // What is missing in a wallet's balances is asked for again, and no matter here.
    if (!chunk.includes('"reason":"dispatch"')) return;
    wakes += 1;
    listener();
  });
  return {
    isOpen: () => secure.writable,
    wakes: () => wakes,
    onWake: (next) => {
      listener = next;
    },
  };
}

/** Sends SMS one after the other through a phone that syncs when it is woken. @returns how long each took. */
async function wakeUps(
  daemon: Daemon,
  key: string,
  gatewayKey: string,
  stream: Stream | undefined,
): Promise<readonly number[]> {
  const [shop, phone] = [await openLine(daemon), await openLine(daemon)];
  const took: number[] = [];
  const outbox = { journal: 'bench', held: [] as string[] };
  for (let n = 0; n < DISPATCHES; n += 1) {
    const woken = new Promise<void>((resolve) => stream?.onWake(resolve));
    const began = performance.now();
    const sent = post(shop, '/api/v2/gateway/send', { 'gateway-key': gatewayKey }, SMS);
    await woken;
    const { body } = await post(phone, '/api/v2/relay/sync', { 'device-key': key }, { outbox });
    took.push(performance.now() - began);
    const { dispatches } = JSON.parse(body.toString()) as { readonly dispatches: readonly { id: string }[] };
    if (dispatches.length !== 1) throw new Error(`a woken phone was handed ${body}`);
    await sent;
    const reports = dispatches.map(({ id }) => ({ id, state: 'SENT' }));
    await post(phone, '/api/v2/relay/sync', { 'device-key': key }, { outbox, reports });
  }
  for (const line of [shop, phone]) line.secure.destroy();
  return took;
}

const SMS = { number: '01711000055', message: 'Your order is packed.' };
