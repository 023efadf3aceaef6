/**
 * The demo as a newcomer runs it: the real command, its real children, a temporary folder that is looked at
 * afterwards. One at a time, because each run starts a dozen processes.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { type DemoRun, runDemo } from '../../src/demo/demo.js';
import { browserOf, ENGLISH, visit } from '../helpers/browser/browser.js';
import {
  kashboxProgram,
  type Process,
  relayProgram,
  runNode,
  startNode,
  withinTime,
} from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { until } from '../helpers/until.js';

const browser = browserOf(test);

const STEPS = [
  'The daemon starts',
  'A shop gets an account',
  'The shop says where it is paid',
  "The shop's phone is enrolled",
  'The phone pairs, once, with the code',
  'The relay agent runs on the phone',
  'A customer wants to pay 500 taka',
  'The customer types the id before the SMS is here',
  "The wallet's SMS reaches the phone",
  'The phone hands it over, and the payment settles',
  'The shop hears of it: payment.completed, signature checked',
  'The shop asks again',
  'Nobody pays twice with one SMS',
  'The shop asks for a checkout page: 750 taka',
  'The customer opens the page',
  'The customer pastes the SMS of their wallet',
  "The shop's SMS comes, and the page knows it",
  "The shop's server has heard of it too",
  'The page sends the customer back to the shop',
  'The shop believes the gateway, not the browser',
];

const USDT_STEPS = [
  'A chain of our own starts, with USDT on it',
  'The shop says where it is paid in USDT',
  'A customer wants to pay 600 taka in USDT',
  "The customer's wallet sends that amount",
  'The shop asks at once: not final yet',
  'The chain goes on, and the payment settles by itself',
  'The shop asks again',
  'Nobody pays twice with one transfer',
];
const ALL_STEPS = [...STEPS, ...USDT_STEPS];

/** Settings of a real shop, which a demo must never touch: with them nothing would start. */
const REAL_SHOP = { KASHBOX_HOME: '/nonexistent/shop', KASHBOX_DATABASE_URL: 'postgres://127.0.0.1:1/real' };

async function startDemo(t: ExecutionContext<unknown>, ...args: readonly string[]) {
  const folder = await temporaryFolder(t);
  const env = { TMPDIR: folder, ...REAL_SHOP };
  const demo = startNode(t, [kashboxProgram, 'demo', ...args], env);
  return { demo, folder };
}

/** Process id of the agent that runs in a home, or null. */
async function relayProcess(t: ExecutionContext<unknown>, home: string): Promise<number | null> {
  const { stdout } = await runNode(t, [relayProgram, 'status', '--home', home, '--json']);
  return (JSON.parse(stdout) as { running: number | null }).running;
}

/** True once nobody listens at an address any more. */
async function isSilent(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const heard = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return !heard;
}

/** A person who watches the demo pays by hand: a real browser on the link that it prints. */
async function payByHand(t: ExecutionContext<unknown>, demo: Process) {
  const [, paymentUrl = ''] = /^(https:\S+\/api\/execute\/\w+)$/m.exec(demo.stderr()) ?? [];
  const [paste = ''] = /^Send Money Tk 300\.00 .*$/m.exec(demo.stderr()) ?? [];
  const { page } = await visit(t, await browser(), { ...ENGLISH, ignoreHTTPSErrors: true });
  await page.goto(paymentUrl);
  await page.locator('summary', { hasText: 'bKash' }).click();
  await page.locator('summary', { hasText: 'Enter the transaction ID' }).first().click();
  const form = page.locator('form[action$="/claim"]').first();
  await form.locator('[name="transaction_id"]').fill(paste);
  await form.locator('button:not([type="button"])').click();
  await page.waitForURL(/\/thanks\?/);
  const { searchParams } = new URL(page.url());
  t.is(searchParams.get('status'), 'completed');
  t.is(searchParams.get('paymentAmount'), '300.00');
  t.true(paste.includes(`TrxID ${searchParams.get('transactionId')} `));
  t.true((await page.textContent('h1'))?.includes('Thank you'));

  await demo.logged(/The shop's server hears of it: payment\.completed, 300\.00 taka, signature checked\./);
}

test.serial(
  'demo --once plays every step, even where its port is taken, and leaves nothing behind',
  async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    t.teardown(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { demo, folder } = await startDemo(t, '--once', '--port', String(port));
    const { code } = await withinTime(demo);
    const said = demo.stdout();
    t.is(code, 0, said + demo.stderr());
    ALL_STEPS.forEach((title, at) => {
      t.regex(said, new RegExp(`✓ +${at + 1}  ${title} +[\\d.]+ m?s\n`), title);
    });
    t.true(said.includes(`Port ${port} is taken`));
    t.regex(said, /← 404 .*Transaction ID not found/);
    t.regex(said, /bKash: You have received Tk 500\.00/);
    t.regex(said, /"status":"COMPLETED"/);
    t.regex(said, /"event":"payment\.completed"/);
    t.regex(said, /X-Service-Signature fits the shop's secret/);
    t.regex(said, /← 400 .*already verified/);
    t.regex(said, /"payment_url":"https:/);
    t.regex(said, /the page, which is "waiting" now/);
    t.regex(said, /event: payment.updated/);
    t.regex(said, /paymentAmount=750\.00 & paymentFee=0\.00 &\s+status=completed/);
    t.regex(said, /← 404 .*Transaction found but not final yet/);
    t.regex(said, /"amount_usdt":4\.9793,"receiver":"0x7Ab1E5…"/);
    t.regex(said, /28 of 28 steps held/);
    t.false(said.includes('\u001b'), 'no colours where nobody sees them');
    t.deepEqual(readdirSync(folder), []);
  },
);

test.serial(
  'while demo stays up its commands and its page work as they are printed, and Ctrl-C ends it well',
  async (t) => {
    const { demo, folder } = await startDemo(t, '--json', '--port', '0');
    await demo.printed(/"steps":/);
    await demo.logged(/Ctrl-C ends it/);
    const script = demo
      .stderr()
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .join('\n');
    const verify = script.slice(script.lastIndexOf('curl'));
    const patient = `${script}\nfor try in $(seq 100); do\nsleep 1\n${verify} | grep COMPLETED && break\ndone`;
    // The first node on the PATH may be of another version, for which nothing is compiled.
    const other = await temporaryFolder(t);
    writeFileSync(join(other, 'node'), '#!/bin/sh\necho another node >&2\nexit 9\n', { mode: 0o755 });
    const env = { ...process.env, PATH: [other, process.env.PATH].join(delimiter) };
    const ran = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', patient], { encoding: 'utf8', env });
    t.is(ran.status, 0, ran.stdout + ran.stderr);
    t.regex(ran.stdout, /"amount":250,.*"status":"COMPLETED"/);
    await payByHand(t, demo);

    demo.kill('SIGINT');
    const { code } = await withinTime(demo);
    t.is(code, 0, demo.stderr());
    t.regex(demo.stderr(), /✓ Paid: your browser is at the shop's thank-you page:\n {2}status=completed, /);
    t.deepEqual(readdirSync(folder), []);
    const report = JSON.parse(demo.stdout()) as {
      ok: boolean;
      url: string;
      steps: { title: string; ok: boolean }[];
    };
    t.true(report.ok);
    t.deepEqual(
      report.steps.map(({ title }) => title),
      ALL_STEPS,
    );
    t.true(report.steps.every(({ ok }) => ok));
    t.true(await isSilent(report.url));
  },
);

test.serial('without a chain to play on, demo says so in one line and still holds', async (t) => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const told: string[] = [];
  const played: DemoRun[] = [];
  const end = await runDemo({
    root,
    env: process.env,
    anvil: null,
    port: 0,
    audience: { begins: () => {}, ended: () => {}, skipped: (why) => told.push(why) },
    stays: false,
    onPlayed: (all) => played.push(all),
    onChange: () => {},
  });
  t.deepEqual(end, { outcome: 'held' });
  t.deepEqual(
    played.flatMap(({ steps }) => steps.map(({ title }) => title)),
    STEPS,
  );
  t.regex(told.join(), /^No payment in USDT: .*@foundry-rs\/anvil.* is not installed\.$/);
  t.deepEqual(played[0]?.skipped, told);
});

test.serial('demo fails and says why when its relay agent is killed', async (t) => {
  const { demo, folder } = await startDemo(t, '--port', '0');
  const [, url = ''] = await demo.printed(/listens on (https:\/\/\S+),/);
  const [, pid] = await demo.printed(/process (\d+) is connected/);
  process.kill(Number(pid), 'SIGKILL');
  const { code } = await withinTime(demo);
  t.is(code, 1);
  t.regex(demo.stderr(), /Error: kashbox-relay ended unexpectedly \(SIGKILL\)\nNext: /);
  t.true(await isSilent(url));
  t.deepEqual(readdirSync(folder), []);
});

test.serial('Ctrl-C in the middle of demo stops its children and removes its folder', async (t) => {
  const { demo, folder } = await startDemo(t, '--port', '0');
  const [, url = ''] = await demo.printed(/listens on (https:\/\/\S+),/);
  demo.kill('SIGINT');
  const { code } = await withinTime(demo);
  t.is(code, 130);
  t.true(await isSilent(url));
  t.deepEqual(readdirSync(folder), []);
});

test.serial('a demo that is killed outright leaves no program running', async (t) => {
  const { demo, folder } = await startDemo(t, '--port', '0');
  const [, url = ''] = await demo.printed(/listens on (https:\/\/\S+),/);
  await demo.printed(/is connected/);
  const phone = join(folder, readdirSync(folder)[0] ?? '', 'phone');
  t.not(await relayProcess(t, phone), null);
  const [, node = ''] = await demo.printed(/a real EVM on (http:\/\/[\d.:]+);/);
  t.false(await isSilent(node));
  demo.kill('SIGKILL');
  await until(() => isSilent(url));
  await until(() => isSilent(node));
  await until(async () => (await relayProcess(t, phone)) === null);
  t.pass();
});
