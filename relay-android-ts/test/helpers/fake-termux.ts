/**
 * Plays the programs of Termux:API as relay-phones.md section 2 describes them: late, in local time, with
 * error objects at exit code 0, and sometimes never answering. The programs are shell scripts that hand each
 * call to this process and print what it answers: a Node for each would take ten times the work.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface Row {
  readonly _id: number;
  readonly type: string;
  readonly address: string;
  readonly body: string;
  readonly date: number;
  readonly sub_id: number;
  readonly creator: string;
}

/** What a test wants it to be like. */
interface Plan {
  readonly latencyMs?: number;
  readonly zone?: string;
  /** The phone speaks Bangla, and writes times in its digits. */
  readonly bangla?: boolean;
  /** Programs that answer nothing, ever. */
  readonly hang?: readonly string[];
  /** What is said instead of an answer, by program. */
  readonly refuse?: Readonly<Record<string, string>>;
  /** The type of the row that sending leaves; none leaves no row. */
  readonly sending?: string;
  /** What programs without a list print. */
  readonly print?: Readonly<Record<string, string>>;
}

const MAX_ID_OF_RECEIVED = 100_000;

/** One call of a program. */
interface Call {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly pid: number;
  /** The process that waits for it. */
  readonly caller: number;
}

/** A script that hands a call over: what it was given lies in a file, its number goes through the pipe. */
const scriptOf = (folder: string, program: string) => `#!/bin/sh
call='${folder}/call'.$$
[ -p '${folder}/calls' ] || exit 1
printf '%s\\0' "$PPID" '${program}' "$#" "$@" > "$call"
cat >> "$call"
mkfifo "$call.answer"
echo $$ > '${folder}/calls'
exec cat "$call.answer"
`;

function read(folder: string, name: string): string {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function rowsIn(folder: string): Row[] {
  const sent = read(folder, 'sent.ndjson').split('\n').filter(Boolean);
  const received = JSON.parse(read(folder, 'sms.json') || '[]') as Row[];
  return [...received, ...sent.map((line) => JSON.parse(line) as Row)];
}

function readCall(folder: string, pid: number): Call {
  const file = join(folder, `call.${pid}`);
  const [caller = '', program = '', count = '', ...rest] = readFileSync(file, 'utf8').split('\0');
  rmSync(file);
  const args = rest.slice(0, Number(count));
  return { program, args, input: rest.slice(Number(count)).join('\0'), pid, caller: Number(caller) };
}

/** Understands the conditions that the agent asks with, and no others. */
const TOKEN =
  /\s*(?:(_id|date|sub_id) (>=|<=|>|=) (-?\d+)|_id in \(([\d,]+)\)|creator = '([a-z.]+)'|(and|or)|([()]))/gy;

function matcher(selection: string): (row: Row) => boolean {
  let end = 0;
  const parts: string[] = [];
  for (const found of selection.matchAll(TOKEN)) {
    end = (found.index ?? 0) + found[0].length;
    const [, column, operator, number, ids, creator, word, bracket] = found;
    if (column !== undefined) parts.push(`row.${column} ${operator === '=' ? '===' : operator} ${number}`);
    if (ids !== undefined) parts.push(`[${ids}].includes(row._id)`);
    if (creator !== undefined) parts.push(`row.creator === '${creator}'`);
    if (word !== undefined) parts.push(word === 'and' ? '&&' : '||');
    if (bracket !== undefined) parts.push(bracket);
  }
  if (end !== selection.length) throw new Error(`near "${selection.slice(end)}": syntax error`);
  return new Function('row', `return ${parts.join(' ') || 'true'}`) as (row: Row) => boolean;
}

/** The date of a row that has another form than the agent knows. */
const NO_FORM = 2e17;

/** As the phone shows it, in its zone, whatever that of this process is. */
function local(ms: number, { zone, bangla }: Plan): string | null {
  if (ms === NO_FORM) return null;
  // A row whose time is no number.
  if (Number.isNaN(new Date(ms).getTime())) return 'NaN-NaN-NaN NaN:NaN:NaN';
  // The Swedish form is the one that Termux:API prints.
  const form = { dateStyle: 'short', timeStyle: 'medium', timeZone: zone } as const;
  const text = new Intl.DateTimeFormat('sv-SE', form).format(ms);
  if (bangla !== true) return text;
  return text.replace(/\d/g, (digit) => String.fromCharCode(0x09e6 + Number(digit)));
}

function list(folder: string, args: readonly string[], plan: Plan): string {
  const option = (name: string): string | undefined =>
    args.find((arg) => arg.startsWith(`--message-${name}=`))?.slice(`--message-${name}=`.length);
  const type = option('type') ?? 'all';
  const [column = 'date', direction = 'DESC'] = (option('sort-order') ?? 'date DESC').split(' ');
  const sign = direction === 'DESC' ? -1 : 1;
  const of = (row: Row): number => (column === '_id' ? row._id : row.date);
  const isWanted = matcher(option('selection') ?? '');
  const found = rowsIn(folder)
    .filter((row) => (type === 'all' || row.type === type || row.type === '') && isWanted(row))
    .sort((one, other) => sign * (of(one) - of(other)))
    .slice(0, Number(option('limit') ?? 10));
  if (!args.includes('--message-return-no-order-reverse')) found.reverse();
  const shown = found.map(({ _id, type: kind, address, body, date }) => {
    const facts = { threadid: 1, type: kind, read: false, sender: 'A name in the contacts' };
    return { ...facts, address, number: address, received: local(date, plan), body, _id };
  });
  return JSON.stringify(shown, null, 2);
}

function send(folder: string, { args, input }: Call, { sending: kind }: Plan): void {
  if (kind === undefined) return;
  const id = MAX_ID_OF_RECEIVED + read(folder, 'sent.ndjson').split('\n').length;
  const address = args[args.indexOf('-n') + 1] ?? '';
  const facts = { date: Date.now(), sub_id: 1, creator: 'com.termux.api' };
  const row = { _id: id, type: kind, address, body: input.trim(), ...facts };
  appendFileSync(join(folder, 'sent.ndjson'), `${JSON.stringify(row)}\n`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What a program prints; null where it never answers. */
function answerTo(folder: string, call: Call, plan: Plan): string | null {
  const { program, args } = call;
  const refusal = plan.refuse?.[program];
  if (refusal !== undefined) return JSON.stringify({ error: refusal });
  if (program === 'termux-sms-send') send(folder, call, plan);
  if (plan.hang?.includes(program)) return null;
  if (program === 'termux-sms-list') return list(folder, args, plan);
  if (program === 'termux-sms-send') return '';
  return program === 'getprop' ? `${plan.zone ?? ''}\n` : `${plan.print?.[program] ?? '{}'}\n`;
}

/** The program ends with this; nothing happens where it was killed before. */
async function answer(folder: string, { pid }: Call, text: string): Promise<void> {
  const file = join(folder, `call.${pid}.answer`);
  while (isAlive(pid)) {
    try {
      const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
      new Socket({ fd, readable: false }).on('error', () => {}).end(text);
      return;
    } catch {
      // The program does not read yet.
      await sleep(1);
    }
  }
}

/** Until killed, but not longer than whoever waits for it. */
async function hang({ pid, caller }: Call): Promise<void> {
  while (isAlive(pid)) {
    if (!isAlive(caller)) process.kill(pid, 'SIGKILL');
    await sleep(200);
  }
}

async function play(folder: string, pid: number): Promise<void> {
  const begun = performance.now();
  const call = readCall(folder, pid);
  const { program, args, input } = call;
  const log = (entry: object) =>
    appendFileSync(join(folder, 'calls.ndjson'), `${JSON.stringify({ program, args, ...entry, pid })}\n`);
  log({ at: performance.timeOrigin + begun, input });
  const plan = JSON.parse(read(folder, 'plan.json') || '{}') as Plan;
  await sleep(Math.max(0, (plan.latencyMs ?? 0) - (performance.now() - begun)));
  if (!isAlive(pid)) return;
  const text = answerTo(folder, call, plan);
  if (text === null) return hang(call);
  log({ ended: performance.timeOrigin + performance.now() });
  await answer(folder, call, text);
}

/**
 * @param folder of the phone: `plan.json`, `sms.json` and `sent.ndjson` say what it is like and what it
 *   holds, `calls.ndjson` how its programs were called, `bin` has the programs.
 * @returns ends it; programs that are called later fail.
 */
export function playTermux(folder: string, programs: readonly string[]): () => void {
  mkdirSync(join(folder, 'bin'));
  execFileSync('mkfifo', [join(folder, 'calls')]);
  for (const program of programs) {
    writeFileSync(join(folder, 'bin', program), scriptOf(folder, program));
    chmodSync(join(folder, 'bin', program), 0o755);
  }
  // Open for writing too, or the first program that closes it would end it.
  const pipe = new Socket({ fd: openSync(join(folder, 'calls'), constants.O_RDWR | constants.O_NONBLOCK) });
  let rest = '';
  pipe.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) void play(folder, Number(line)).catch((error) => console.error(error));
  });
  return () => {
    rmSync(join(folder, 'calls'), { force: true });
    pipe.destroy();
  };
}
