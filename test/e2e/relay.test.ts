/**
 * The real relay agent and the real daemon: SMS arrive at the phone while either dies, and every one of them
 * is in the daemon's store afterwards, once.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { restartDaemon, startDaemon } from '../helpers/programs/daemon.js';
import {
  type Process,
  pairRelay,
  relayProgram,
  runNode,
  startNode,
  withinTime,
} from '../helpers/programs/processes.js';
import { enrollIn, storedSms } from '../helpers/shop/relayed.js';
import { newSms, type RelayedSms } from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules } from '../helpers/stores/ledger-audit.js';
import { powerCutDisk } from '../helpers/stores/power-cut.js';
import { amount } from '../helpers/tiers.js';

const KILLS = amount(4, 20);
const SMS = KILLS * 100;
const SMS_PER_FILE = 10;

async function arriveSlowly(arrive: () => void, files: number): Promise<void> {
  for (let file = 0; file < files; file += 1) {
    arrive();
    await sleep(10 + Math.random() * 60);
  }
}

/** Puts SMS into the phone's inbox as the simulator wants them: whole files that are moved into place. */
function inboxWriter(folder: string) {
  mkdirSync(folder, { recursive: true });
  const texts: string[] = [];
  const arrive = () => {
    const batch = Array.from({ length: SMS_PER_FILE }, () => newSms().sms);
    texts.push(...batch.map(({ body }) => body));
    const name = `${String(texts.length).padStart(6, '0')}.ndjson`;
    writeFileSync(join(folder, `.${name}`), batch.map((sms) => `${JSON.stringify(sms)}\n`).join(''));
    renameSync(join(folder, `.${name}`), join(folder, name));
  };
  return { texts, arrive };
}

test.serial('kills of the agent and two of the daemon: every SMS is stored once', async (t) => {
  t.timeout(600_000);
  const [home, phone, inbox] = [await temporaryFolder(t), await temporaryFolder(t), await temporaryFolder(t)];
  const { code } = await enrollIn(home, 'relay', ['1=01711000001']);
  let daemon = await startDaemon(t, { home });
  await pairRelay(t, daemon, code, phone);
  const { texts, arrive } = inboxWriter(inbox);
  const run = [relayProgram, 'run', '--home', phone, '--inbox', inbox, '--poll-ms', '50'];
  let behind = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const agent = startNode(t, run);
    const down = kill === 2 || kill === 4 ? restartDaemon(t, daemon, { home }, 400) : daemon;
    const arriving = arriveSlowly(arrive, SMS / SMS_PER_FILE / KILLS);
    await sleep(150 + Math.random() * 350);
    agent.kill('SIGKILL');
    await agent.ended;
    await arriving;
    daemon = await down;
    if (storedSms(home).length < texts.length) behind += 1;
  }
  t.is(texts.length, SMS);
  t.log(`${behind} of ${KILLS} kills met an agent that had not delivered everything yet`);
  t.true(behind > 0);
  const last = await runNode(t, [...run, '--once']);
  t.is(last.code, 0, last.stderr);
  const stored = storedSms(home).map(({ body }) => body);
  t.is(stored.length, SMS, 'none is missing and none is there twice');
  t.deepEqual(new Set(stored), new Set(texts));
  t.deepEqual(brokenRules(join(home, 'kashbox.db')), []);
});

const QUEUED = /^\{"queued":.*\}$/gm;

/**
 * Sends SMS to the agent, one a millisecond, for a while that begins with its first answer: how long a
 * program takes to start is the machine's affair.
 * @returns the SMS that were sent
 */
async function feed(agent: Process, ms: number): Promise<RelayedSms[]> {
  const sent: RelayedSms[] = [];
  const send = () => {
    const { sms } = newSms();
    sent.push(sms);
    agent.stdin.write(`${JSON.stringify(sms)}\n`);
  };
  send();
  await agent.printed(/^\{"queued":.*\}$/m);
  const end = Date.now() + ms;
  while (Date.now() < end) {
    send();
    await sleep(1);
  }
  return sent;
}

test.serial('a power cut at the phone loses no SMS that the agent had called queued', async (t) => {
  const home = await temporaryFolder(t);
  const { code } = await enrollIn(home, 'relay', ['1=01711000001']);
  const daemon = await startDaemon(t, { home });
  const disk = await powerCutDisk(t);
  await pairRelay(t, daemon, code, disk.folder);
  await disk.settle();
  daemon.process.kill('SIGKILL');
  await daemon.process.ended;
  // Nobody takes the SMS off the phone for now, so that its own disk must keep them all.
  const queued: string[] = [];
  const run = [relayProgram, 'run', '--home', disk.folder, '--stdin', '--poll-ms', '50'];
  for (let cut = 1; cut <= amount(4, 8); cut += 1) {
    const agent = startNode(t, run, disk.env);
    const sent = await feed(agent, 50 + Math.random() * 250);
    agent.kill('SIGKILL');
    await agent.ended;
    const answers = agent.stdout().match(QUEUED) ?? [];
    queued.push(...sent.slice(0, answers.length).map(({ body }) => body));
    const luck = cut % 2 === 0 ? Math.random() : 0;
    await disk.cut(luck, Math.random);
  }
  t.log(`${queued.length} SMS were called queued`);
  t.true(queued.length > 50);
  await startDaemon(t, { home, port: Number(new URL(daemon.url).port) });
  const agent = startNode(t, [...run, '--once']);
  agent.stdin.end();
  t.is((await withinTime(agent)).code, 0, agent.stderr());
  const stored = storedSms(home).map(({ body }) => body);
  const there = new Set(stored);
  t.deepEqual(
    queued.filter((body) => !there.has(body)),
    [],
  );
  t.is(there.size, stored.length, 'none is there twice');
});
