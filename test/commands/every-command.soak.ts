/**
 * Every command as a process of its own: it starts, prints what it must and ends by itself, with nothing
 * left that keeps it alive. What commands do in detail is tested inside one process.
 */
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openSpawnedCli } from '../helpers/programs/cli.js';

/** They run until they are told to end, and have tests of their own that start them as processes. */
const STAY = ['daemon', 'demo', 'monitor', 'payments:tail', 'webhooks:listen'];

const commands = Object.keys(
  JSON.parse(readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8')).commands,
);

const NOBODY = 'nothing_1';
const EXPORT = join(tmpdir(), `kashbox-of-every-command-${process.pid}.csv`);
const BACKUP = join(tmpdir(), `kashbox-of-every-command-${process.pid}.backup`);
const COPY = join(tmpdir(), `kashbox-of-every-command-${process.pid}.db`);
const WALLET = '01711000001';
const TEXT = 'Your OTP is 1234';

/** [what is typed, what it ends with], in an order in which each finds what it needs. */
const STEPS: readonly (readonly [line: string, code: number])[] = [
  ['setup', 2],
  ['help payments list', 0],
  ['version', 0],
  ['completion bash', 0],
  ['contexts add alo --home /nonexistent', 0],
  ['contexts list', 0],
  ['contexts use alo', 0],
  ['contexts remove alo', 0],
  ['merchants create --name Alo', 0],
  ['merchants list', 0],
  ['merchants show Alo', 0],
  ['merchants update Alo --email alo@example.com', 0],
  ['merchants suspend Alo', 0],
  ['merchants activate Alo', 0],
  ['brands create --merchant Alo --name Second', 0],
  ['brands create --merchant Alo --name Trial --test', 0],
  ['brands list', 0],
  ['brands show Alo', 0],
  ['brands update Alo --session-minutes 15', 0],
  ['brands connect Trial', 0],
  ['open docs', 5],
  ['update', 0],
  ['keys rotate --brand Alo', 0],
  ['keys list', 0],
  [`keys revoke ${NOBODY}`, 3],
  [`accounts set --brand Alo --channel mfs_a --type personal --number ${WALLET}`, 0],
  ['accounts list', 0],
  [`accounts disable ${NOBODY}`, 3],
  ['acquirers create --merchant Alo --name Bank', 0],
  ['acquirers list', 0],
  ['acquirers update Bank --auth hmac', 0],
  ['acquirers revoke Bank', 0],
  [`refunds create ${NOBODY} --note Gone`, 3],
  ['refunds list', 0],
  [`refunds show ${NOBODY}`, 3],
  [`refunds update ${NOBODY} --number ${WALLET}`, 3],
  [`refunds cancel ${NOBODY} --note Gone`, 3],
  [`refunds close ${NOBODY} --reference DKQ4TW1CE2 --note Gone`, 3],
  ['pushes list', 0],
  ['pushes reparse', 0],
  ['alert-targets create --command false', 0],
  ['alert-targets list', 0],
  [`alert-targets update ${NOBODY} --daily-summary 21:00`, 3],
  ['alerts list', 0],
  ['alert-targets test', 4],
  [`alert-targets delete ${NOBODY}`, 3],
  [`devices enroll --merchant Alo --name counter-1 --sim 1=${WALLET}`, 0],
  ['devices list', 0],
  ['devices show counter-1', 0],
  ['devices update counter-1 --sim 1=01711000002', 0],
  ['messages send --device counter-1 --to 01812345678 --message Ready', 0],
  ['messages list', 0],
  [`messages show ${NOBODY}`, 3],
  [`messages cancel ${NOBODY}`, 3],
  ['devices rotate counter-1', 0],
  ['devices revoke counter-1', 0],
  ['nodes add --url http://127.0.0.1:9/', 0],
  ['nodes list', 0],
  ['nodes check', 4],
  [`nodes remove ${NOBODY}`, 3],
  ['rates set 121.50', 0],
  ['rates show', 0],
  ['rates remove', 0],
  ['payments create --brand Alo --name Rahim --amount 500', 0],
  ['payments list', 0],
  [`test pay ${NOBODY}`, 3],
  ['links create --brand Alo --amount 500', 0],
  ['links list', 0],
  [`links show ${NOBODY}`, 3],
  [`links update ${NOBODY} --quantity 2`, 3],
  [`links disable ${NOBODY}`, 3],
  [`payments show ${NOBODY}`, 3],
  [`payments cancel ${NOBODY}`, 3],
  [`payments verify ${NOBODY} --channel mfs_a --transaction-id DAQ5X1Y2Z3`, 3],
  [`sms add --merchant Alo --recipient ${WALLET} --sender bKash --text ${TEXT}`, 0],
  ['sms list', 0],
  ['audit list', 0],
  ['audit verify', 0],
  ['report daily', 0],
  ['report channels', 0],
  ['report devices', 0],
  ['report balances', 0],
  [`payments export ${EXPORT}`, 0],
  [`sms show ${NOBODY}`, 3],
  [`verifications reopen ${NOBODY} --note no`, 3],
  ['why 410', 0],
  [`sms parse --sender bKash ${TEXT}`, 0],
  ['sms reparse', 0],
  ['gaps list', 0],
  [`gaps close ${NOBODY} --note seen`, 3],
  [`sms close ${NOBODY} --note seen`, 3],
  [`sms reopen ${NOBODY} --note seen`, 3],
  ['verifications list', 0],
  [`verifications show ${NOBODY}`, 3],
  [`verifications approve ${NOBODY} --note seen`, 3],
  [`verifications reject ${NOBODY} --note seen`, 3],
  ['webhooks list', 0],
  [`webhooks show ${NOBODY}`, 3],
  [`webhooks replay ${NOBODY}`, 3],
  ['webhooks rotate --brand Alo', 0],
  ['webhooks test --brand Alo', 2],
  ['webhooks verify --brand Alo', 2],
  ['doctor', 0],
  [`backup ${BACKUP}`, 0],
  [`restore ${BACKUP} --check`, 0],
  ['db status', 0],
  ['db migrate', 0],
  ['secret-key rebind', 0],
  // After it the copy is the live store, and this one takes no writes.
  [`db copy --to ${COPY}`, 0],
];

/** The arguments of a line; the SMS is one of them. */
const argsOf = (line: string) =>
  line.split(` ${TEXT}`).flatMap((part, at) => (at === 0 ? part.split(' ') : [TEXT]));

const idOf = (line: string) =>
  commands.find((id) => line === id.replace(':', ' ') || line.startsWith(`${id.replace(':', ' ')} `));

test('no command is forgotten here', (t) => {
  const tried = STEPS.map(([line]) => idOf(line) ?? line);
  t.deepEqual([...new Set([...tried, ...STAY])].sort(), commands.sort());
});

test.serial('each ends by itself and prints one JSON value', async (t) => {
  const kashbox = await openSpawnedCli(t);
  t.teardown(() => {
    for (const file of [BACKUP, COPY, EXPORT]) rmSync(file, { force: true });
  });
  const wrong: string[] = [];
  for (const [line, code] of STEPS) {
    const ran = await kashbox(...argsOf(line), '--json');
    t.notThrows(() => ran.json(), `${line}: ${ran.stdout}`);
    if (ran.code !== code) wrong.push(`${line} ends with ${ran.code}: ${ran.stdout}${ran.stderr}`);
  }
  t.deepEqual(wrong, []);
});
