/**
 * A program that plays those of Termux:API as relay-phones.md section 2 describes them: late, in local time,
 * with error objects at exit code 0, and sometimes never answering. Its first argument is which one it plays;
 * what it finds lies in the folder FAKE_PHONE, where it also writes down how it was called.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
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
const folder = process.env.FAKE_PHONE ?? '';
const [program = '', ...args] = process.argv.slice(2);
const plan = JSON.parse(read('plan.json') || '{}') as Plan;
// The phone's zone, whatever the caller believes it to be.
if (plan.zone !== undefined) process.env.TZ = plan.zone;

function read(name: string): string {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function rows(): Row[] {
  const sent = read('sent.ndjson').split('\n').filter(Boolean);
  return [...(JSON.parse(read('sms.json') || '[]') as Row[]), ...sent.map((line) => JSON.parse(line) as Row)];
}

function log(entry: object): void {
  appendFileSync(join(folder, 'calls.ndjson'), `${JSON.stringify({ program, args, ...entry })}\n`);
}

function option(name: string): string | undefined {
  return args.find((arg) => arg.startsWith(`--message-${name}=`))?.slice(`--message-${name}=`.length);
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

function local(ms: number): string {
  const at = new Date(ms);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  const text = `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
  if (plan.bangla !== true) return text;
  return text.replace(/\d/g, (digit) => String.fromCharCode(0x09e6 + Number(digit)));
}

function list(): void {
  const type = option('type') ?? 'all';
  const [column = 'date', direction = 'DESC'] = (option('sort-order') ?? 'date DESC').split(' ');
  const sign = direction === 'DESC' ? -1 : 1;
  const of = (row: Row): number => (column === '_id' ? row._id : row.date);
  const isWanted = matcher(option('selection') ?? '');
  const found = rows()
    .filter((row) => (type === 'all' || row.type === type || row.type === '') && isWanted(row))
    .sort((one, other) => sign * (of(one) - of(other)))
    .slice(0, Number(option('limit') ?? 10));
  if (!args.includes('--message-return-no-order-reverse')) found.reverse();
  const shown = found.map(({ _id, type: kind, address, body, date }) => {
    const facts = { threadid: 1, type: kind, read: false, sender: 'A name in the contacts' };
    return { ...facts, address, number: address, received: local(date), body, _id };
  });
  console.log(JSON.stringify(shown, null, 2));
}

function send(input: string): void {
  const kind = plan.sending;
  if (kind === undefined) return;
  const id = MAX_ID_OF_RECEIVED + read('sent.ndjson').split('\n').length;
  const address = args[args.indexOf('-n') + 1] ?? '';
  const facts = { date: Date.now(), sub_id: 1, creator: 'com.termux.api' };
  const row = { _id: id, type: kind, address, body: input.trim(), ...facts };
  appendFileSync(join(folder, 'sent.ndjson'), `${JSON.stringify(row)}\n`);
}

/** Until killed, but not longer than whoever waits for it. */
async function hang(): Promise<void> {
  const caller = process.ppid;
  while (process.ppid === caller) await sleep(200);
}

let input = '';
for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk;
log({ at: performance.timeOrigin, pid: process.pid, input });
await sleep(Math.max(0, (plan.latencyMs ?? 0) - performance.now()));
const refusal = plan.refuse?.[program];
if (refusal !== undefined) console.log(JSON.stringify({ error: refusal }));
else if (program === 'termux-sms-list') {
  if (plan.hang?.includes(program)) await hang();
  list();
} else if (program === 'termux-sms-send') {
  send(input);
  if (plan.hang?.includes(program)) await hang();
} else if (plan.hang?.includes(program)) await hang();
else if (program === 'getprop') console.log(plan.zone ?? '');
else console.log(plan.print?.[program] ?? '{}');
log({ ended: performance.timeOrigin + performance.now(), pid: process.pid });
