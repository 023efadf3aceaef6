/** Labelled collections of wallet texts, one line of JSON each, and how the engine reads such a line. */
import { readFileSync } from 'node:fs';
import { parseSms, type SmsText, StreamMemory } from '../../../src/channels/mfs/index.js';
import { engine, told } from './sms.js';

export interface CollectionLine {
  readonly id: string;
  readonly channel: string;
  readonly sender: string;
  readonly body: string;
  readonly received_at?: string;
  readonly credit: boolean;
  readonly settle: string;
  readonly expect: Readonly<Record<string, string | null>> & { readonly kind: string };
  readonly tags?: readonly string[];
}

export interface Collection {
  /** Lines of the four wallets. */
  readonly ours: readonly CollectionLine[];
  /** Lines of other wallets, banks and operators. */
  readonly others: readonly CollectionLine[];
}

export function readCollection(name: string): Collection {
  const lines = readFileSync(`test/fixtures/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CollectionLine);
  return {
    ours: lines.filter(({ channel }) => channel.startsWith('mfs_')),
    others: lines.filter(({ channel }) => !channel.startsWith('mfs_')),
  };
}

type Told = Record<string, string | boolean | null>;

/** What the engine says of a line. @param before what the same stream has told of already. */
export function readingOf(line: CollectionLine, before: readonly CollectionLine[] = []): Told {
  const memory = new StreamMemory();
  for (const earlier of before) memory.judge(textOf(earlier), parseSms(engine, textOf(earlier)));
  return told(memory.judge(textOf(line), parseSms(engine, textOf(line))));
}

/** Money sent to a customer's number, in the words of each wallet. */
const TO_CUSTOMER =
  /^(?:Send Money|Refund of) Tk [\d,.]+ to (\S+)|^Send Money Successful\.[\s\S]*Receiver: (\S+)|transferred to A\/C:(\S+)|^Tk\. [\d,.]+ has been sent to (\d+)/;

/** What the line's label says of it, in the same words; some collections have no label for the receiver. */
export function labelOf(line: CollectionLine): Told {
  const { kind, amount = null, from = null, fee = null, balance = null } = line.expect;
  const { trx_id = null, at = null } = line.expect;
  const { channel, credit, settle } = line;
  const [found, ...numbers] = TO_CUSTOMER.exec(kind === 'outgoing' ? line.body : '') ?? [];
  const number = line.expect.to ?? numbers.find((one) => one !== undefined) ?? null;
  const receiver = found === undefined ? {} : { to: number };
  return { channel, kind, credit, settle, amount, from, ...receiver, fee, balance, trx_id, at };
}

function textOf({ sender, body, received_at }: CollectionLine): SmsText {
  return { sender, body, receivedAtMs: received_at === undefined ? null : Date.parse(received_at) };
}
