/**
 * A phone with Termux as the agent meets it: PREFIX, HOME, and programs that answer as those of Termux:API.
 * Small on purpose: for installing and diagnosing; how SMS are read under faults is tested elsewhere.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { type Environment, type Process, startProgram } from '../programs/processes.js';
import { temporaryFolder } from '../stores/engines.js';

export interface TermuxPhone {
  readonly env: Environment & { readonly PREFIX: string; readonly HOME: string };
  /** Starts a line as somebody who has typed it. */
  type(line: string): Process;
  receive(sms: { readonly address: string; readonly body: string; readonly at: Date }): void;
  /** Programs that were called without doing anything here, in order. */
  called(): string[];
  /** What Android would say of a permission that is not given; null gives it. */
  refuse(message: string | null): void;
}

/** Answers comparisons of `_id` and `date` joined by and/or, which is all of SQL that is asked here. */
const SMS_LIST = `
import { existsSync, readFileSync } from 'node:fs';
const home = process.env.FAKE_PHONE;
const refused = home + '/refused';
if (existsSync(refused)) {
  console.log(JSON.stringify({ error: readFileSync(refused, 'utf8') }));
  process.exit(0);
}
const option = (name) => process.argv.find((arg) => arg.startsWith('--' + name + '='))?.split(/=(.*)/s)[1];
const rows = JSON.parse(readFileSync(home + '/sms.json', 'utf8'));
const where = (option('message-selection') ?? '1 = 1')
  .replace(/ and /g, ' && ').replace(/ or /g, ' || ').replace(/([^<>])= /g, '$1== ');
const wanted = new Function('_id', 'date', 'return ' + where);
const found = rows.filter((row) => wanted(row._id, Date.parse(row.received.replace(' ', 'T'))));
if (/DESC/.test(option('message-sort-order') ?? 'date DESC')) found.reverse();
console.log(JSON.stringify(found.slice(0, Number(option('message-limit') ?? 10))));
`;

const QUIET = [
  'pkg',
  'termux-wake-lock',
  'termux-wake-unlock',
  'termux-notification',
  'termux-notification-remove',
];
const BATTERY = '{"present":true,"plugged":"PLUGGED_AC","status":"CHARGING","percentage":81}';

export async function openTermuxPhone(t: ExecutionContext<unknown>): Promise<TermuxPhone> {
  const root = await temporaryFolder(t);
  const prefix = join(root, 'data/com.termux/files/usr');
  const env = {
    PREFIX: prefix,
    HOME: join(root, 'home'),
    PATH: `${prefix}/bin:/usr/bin:/bin`,
    FAKE_PHONE: root,
  };
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  mkdirSync(env.HOME);
  writeFileSync(join(root, 'sms-list.mjs'), SMS_LIST);
  writeFileSync(join(root, 'sms.json'), '[]');
  symlinkSync('/bin/sh', join(prefix, 'bin/sh'));
  symlinkSync(process.execPath, join(prefix, 'bin/node'));
  const put = (name: string, line: string) => {
    writeFileSync(join(prefix, 'bin', name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(prefix, 'bin', name), 0o755);
  };
  put('termux-sms-list', `exec node "$FAKE_PHONE/sms-list.mjs" "$@"`);
  for (const name of ['termux-wifi-connectioninfo', 'termux-telephony-deviceinfo']) put(name, 'echo "{}"');
  put('termux-battery-status', `echo '${BATTERY}'`);
  for (const name of QUIET) put(name, `echo "${name} $*" >> "$FAKE_PHONE/called"`);
  t.teardown(() => stopAgent(join(env.HOME, '.kashbox-relay')));
  return {
    env,
    type: (line) => startProgram(t, '/bin/sh', ['-c', `cd "$HOME"\n${line}`], env),
    receive: (sms) => receive(join(root, 'sms.json'), sms),
    called: () =>
      existsSync(join(root, 'called')) ? readFileSync(join(root, 'called'), 'utf8').split('\n') : [],
    refuse: (message) => writeRefusal(join(root, 'refused'), message),
  };
}

function receive(file: string, sms: Parameters<TermuxPhone['receive']>[0]): void {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as object[];
  const two = (part: number) => String(part).padStart(2, '0');
  const { at, address, body } = sms;
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  const received = `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
  rows.push({
    _id: rows.length + 1,
    threadid: 1,
    type: 'inbox',
    read: false,
    address,
    number: address,
    received,
    body,
  });
  writeFileSync(`${file}.new`, JSON.stringify(rows));
  renameSync(`${file}.new`, file);
}

function writeRefusal(file: string, message: string | null): void {
  if (message === null) rmSync(file, { force: true });
  else writeFileSync(file, message);
}

/** The agent was started as the phone starts it: nobody but its lock knows its process. */
async function stopAgent(home: string): Promise<void> {
  for (const pid of agentsOf(home)) {
    try {
      // It ends well, so that the script around it ends too.
      process.kill(pid, 'SIGTERM');
      while (existsSync(`/proc/${pid}`)) await sleep(50);
    } catch {
      // It has ended already.
    }
  }
}

function agentsOf(home: string): number[] {
  if (!existsSync(home)) return [];
  const locks = readdirSync(home).filter((name) => name.startsWith('run.lock.'));
  const found = locks.map((name) => /"pid":(\d+)/.exec(readFileSync(join(home, name), 'utf8'))?.[1]);
  return found.flatMap((pid) => (pid === undefined ? [] : [Number(pid)]));
}
