/**
 * The real agent on a phone whose Termux:API is played by slow programs, and the real daemon: SMS come while
 * either dies, answers are lost and the network fails, and every one of them is stored, once.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { type BadNetwork, openBadNetwork, type Weather } from '../helpers/network/bad-network.js';
import { restartDaemon, startDaemon } from '../helpers/programs/daemon.js';
import { type Process, pairRelay, relayProgram, startNode } from '../helpers/programs/processes.js';
import { delaysOf, enrollIn, storedSms } from '../helpers/shop/relayed.js';
import { newSms } from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules } from '../helpers/stores/ledger-audit.js';
import { until } from '../helpers/until.js';

const SMS = 2_000;
const KILLS = 20;
const CALL_MS = 200;
/** They come by twos. */
const MEASURED = 20;
/** What comes before a kill and after it. */
const HALVES = [44, 45] as const;
/** What comes while nobody is killed and the network is bad. */
const IN_BAD_WEATHER = SMS - MEASURED - KILLS * (HALVES[0] + HALVES[1]);
/** Ten minutes on a bus, in which the network changes every ten seconds, twenty times as fast. */
const SPELLS = 60;
const SPELL_MS = 500;
const WEATHERS: readonly Weather[] = [
  'fine',
  'drags',
  'refuses',
  'talks',
  'fine',
  'swallows',
  'fine',
  'cuts',
];

type PlayTermux = (folder: string, programs: readonly string[]) => () => void;

/** The agent's package plays the programs for its own tests as well. */
const FAKE_TERMUX = new URL('../../../relay-android-ts/dist/test/helpers/fake-termux.js', import.meta.url);

const PROGRAMS = [
  ...[
    'termux-sms-list',
    'termux-battery-status',
    'termux-wifi-connectioninfo',
    'termux-telephony-deviceinfo',
  ],
  ...['termux-wake-lock', 'termux-wake-unlock', 'termux-notification', 'termux-notification-remove'],
];

/** The phone: its SMS, when each came, and programs on its PATH that tell of them after a while. */
async function openPhone(t: ExecutionContext, folder: string) {
  const { playTermux } = (await import(FAKE_TERMUX.href)) as { readonly playTermux: PlayTermux };
  t.teardown(playTermux(folder, PROGRAMS));
  const write = (name: string, value: unknown) => {
    writeFileSync(join(folder, `.${name}`), JSON.stringify(value));
    renameSync(join(folder, `.${name}`), join(folder, name));
  };
  const rows: object[] = [];
  const came = new Map<string, number>();
  const receive = (count: number) => {
    const date = Date.now();
    for (let one = 0; one < count; one += 1) {
      // Every third is Bangla without a transaction id, which only its second tells from its like.
      const id = rows.length + 1;
      const body = id % 3 === 0 ? `আপনার অর্ডার ${id} পৌঁছেছে। ধন্যবাদ 🎉` : newSms().sms.body;
      rows.push({
        _id: id,
        type: 'inbox',
        address: 'bKash',
        body,
        date,
        sub_id: 1,
        creator: 'com.android.mms',
      });
      came.set(body, date);
    }
    write('sms.json', rows);
  };
  const plan = (latencyMs: number) => write('plan.json', { latencyMs });
  plan(CALL_MS);
  receive(0);
  return { env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }, came, receive, plan };
}

async function badWeather(network: BadNetwork, phone: Awaited<ReturnType<typeof openPhone>>): Promise<void> {
  for (let spell = 0; spell < SPELLS; spell += 1) {
    network.turn(WEATHERS[spell % WEATHERS.length] ?? 'fine');
    const soFar = Math.round((IN_BAD_WEATHER * spell) / SPELLS);
    phone.receive(Math.round((IN_BAD_WEATHER * (spell + 1)) / SPELLS) - soFar);
    await sleep(SPELL_MS);
  }
  // An agent that backs off may have slept through all spells of one kind.
  for (const weather of WEATHERS) {
    network.turn(weather);
    await until(() => network.met[weather] > 0);
  }
  network.turn('fine');
}

test.serial(
  '2,000 SMS, 20 kills of the agent and 20 of the daemon, every fifth answer lost, a bad network: all stored once',
  async (t) => {
    t.timeout(600_000);
    const [home, relay, folder] = [
      await temporaryFolder(t),
      await temporaryFolder(t),
      await temporaryFolder(t),
    ];
    const { code } = await enrollIn(home, 'termux', ['1=01711000001']);
    let daemon = await startDaemon(t, { home });
    const { network, url } = await openBadNetwork(t, { home, daemonUrl: () => daemon.url });
    const phone = await openPhone(t, folder);
    await pairRelay(t, { url, fingerprint: daemon.fingerprint }, code, relay);
    const start = (): Process =>
      startNode(t, [relayProgram, 'run', '--home', relay, '--platform', 'termux'], phone.env);

    // Undisturbed first: how long from the phone's list to the daemon's disk.
    let agent = start();
    for (let count = 2; count <= MEASURED; count += 2) {
      phone.receive(2);
      await until(() => storedSms(home).length >= count);
      await sleep((count * 67) % 400);
    }
    t.log(`SMS to stored at calls of ${CALL_MS} ms: ${delaysOf(storedSms(home), phone.came)}`);

    let behind = 0;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = storedSms(home).length;
      phone.receive(HALVES[0]);
      network.turn(kill % 4 === 0 ? 'refuses' : 'fine');
      const restarted = restartDaemon(t, daemon, { home });
      await sleep((kill * 97) % 500);
      agent.kill('SIGKILL');
      await agent.ended;
      daemon = await restarted;
      network.turn('fine');
      phone.receive(HALVES[1]);
      if (storedSms(home).length < phone.came.size) behind += 1;
      agent = start();
      // Some live long enough to bring something, some are killed before.
      if (kill % 3 === 0) await until(() => storedSms(home).length > before);
    }
    await badWeather(network, phone);
    t.is(phone.came.size, SMS);
    // A signal that comes before the agent is up ends it without its saying so.
    await until(() => storedSms(home).length >= SMS);
    await agent.logged(/connected to/);
    agent.kill('SIGTERM');
    t.is((await agent.ended).code, 0, agent.stderr());
    const stored = storedSms(home).map(({ body }) => body);
    t.is(stored.length, SMS, 'none is missing and none is there twice');
    t.deepEqual(new Set(stored), new Set(phone.came.keys()));
    t.deepEqual(brokenRules(join(home, 'kashbox.db')), []);
    t.true(behind > 0);
    t.true(network.lost > 0);
    t.log(
      `${behind} of ${KILLS} kills left SMS to catch up; ${network.lost} answers to SMS were lost; ` +
        `requests by weather: ${JSON.stringify(network.met)}`,
    );
  },
);
