/**
 * The real relay agent and the real daemon: SMS arrive at the phone while either dies, and every one of them
 * is in the daemon's store afterwards, once.
 */
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { restartDaemon, startDaemon } from '../helpers/programs/daemon.js';
import { pairRelay, relayProgram, runNode, startNode } from '../helpers/programs/processes.js';
import { enrollIn, storedSms } from '../helpers/shop/relayed.js';
import { newSms } from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules } from '../helpers/stores/ledger-audit.js';
import { powerCutDisk } from '../helpers/stores/power-cut.js';
import { amount } from '../helpers/tiers.js';

const KILLS = amount(4, 20);
const SMS = KILLS * 100;
const SMS_AT_ONCE = 10;
const LONGEST_MS = 60_000;

async function arriveSlowly(arrive: () => void, groups: number): Promise<void> {
  for (let group = 0; group < groups; group += 1) {
    for (let one = 0; one < SMS_AT_ONCE; one += 1) arrive();
    await sleep(10 + Math.random() * 60);
  }
}

/** Puts SMS into the inbox as the simulator wants them: each a whole file that is moved into place. */
function inboxWriter(folder: string) {
  mkdirSync(join(folder, 'taken'), { recursive: true });
  const texts: string[] = [];
  const arrive = () => {
    const { sms } = newSms();
    const name = `${String(texts.length).padStart(6, '0')}.json`;
    writeFileSync(join(folder, `.${name}`), JSON.stringify(sms));
    renameSync(join(folder, `.${name}`), join(folder, name));
    texts.push(sms.body);
  };
  /** The texts that the agent has in its queue, as it says by moving their files. */
  const taken = () =>
    readdirSync(join(folder, 'taken')).map((name) => texts[Number.parseInt(name, 10)] ?? '');
  return { texts, arrive, taken };
}

test.serial('kills of the agent and two of the daemon: every SMS is stored once', async (t) => {
  t.timeout(600_000);
  const [home, phone, inbox] = [await temporaryFolder(t), await temporaryFolder(t), await temporaryFolder(t)];
  const { code } = await enrollIn(home, 'relay', ['1=01711000001']);
  let daemon = await startDaemon(t, { home });
  await pairRelay(t, daemon, code, phone);
  const { texts, arrive } = inboxWriter(inbox);
  const run = [relayProgram, 'run', '--home', phone, '--inbox', inbox];
  let behind = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const agent = startNode(t, run);
    const down = kill === 2 || kill === 4 ? restartDaemon(t, daemon, { home }, 400) : daemon;
    const arriving = arriveSlowly(arrive, SMS / SMS_AT_ONCE / KILLS);
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

test.serial('a power cut at the phone loses no SMS that the agent had taken', async (t) => {
  const home = await temporaryFolder(t);
  const { code } = await enrollIn(home, 'relay', ['1=01711000001']);
  const daemon = await startDaemon(t, { home });
  const disk = await powerCutDisk(t);
  await pairRelay(t, daemon, code, disk.folder);
  await disk.settle();
  daemon.process.kill('SIGKILL');
  await daemon.process.ended;
  // Nobody takes the SMS off the phone for now, so that its own disk must keep them all.
  const inbox = await temporaryFolder(t);
  const { arrive, taken } = inboxWriter(inbox);
  const run = [relayProgram, 'run', '--home', disk.folder, '--inbox', inbox];
  for (let cut = 1; cut <= amount(4, 8); cut += 1) {
    const agent = startNode(t, run, disk.env);
    const before = taken().length;
    // How long a program takes to start is the machine's affair.
    for (const end = Date.now() + LONGEST_MS; taken().length === before && Date.now() < end; await sleep(1))
      arrive();
    for (const end = Date.now() + 50 + Math.random() * 250; Date.now() < end; await sleep(1)) arrive();
    agent.kill('SIGKILL');
    await agent.ended;
    const luck = cut % 2 === 0 ? Math.random() : 0;
    await disk.cut(luck, Math.random);
  }
  // What is not taken yet is not the agent's, and stays away from the last run.
  const queued = taken();
  t.log(`${queued.length} SMS were taken`);
  t.true(queued.length > 50);
  await startDaemon(t, { home, port: Number(new URL(daemon.url).port) });
  const last = [relayProgram, 'run', '--home', disk.folder, '--inbox', join(inbox, 'none'), '--once'];
  const { code: end, stderr } = await runNode(t, last);
  t.is(end, 0, stderr);
  const stored = storedSms(home).map(({ body }) => body);
  const there = new Set(stored);
  t.deepEqual(
    queued.filter((body) => !there.has(body)),
    [],
  );
  t.is(there.size, stored.length, 'none is there twice');
});
