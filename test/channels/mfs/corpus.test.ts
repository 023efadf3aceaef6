/** The labelled collection of wallet texts: every line of it, in every field. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import { readSms, StreamMemory } from '../../../src/channels/mfs/index.js';
import { engine, told } from '../../helpers/sms.js';

interface CorpusLine {
  readonly id: string;
  readonly channel: string;
  readonly sender: string;
  readonly body: string;
  readonly received_at?: string;
  readonly credit: boolean;
  readonly settle: string;
  readonly expect: Readonly<Record<string, string | null>> & { readonly kind: string };
}

const corpus = readFileSync('test/fixtures/sms-corpus.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as CorpusLine);
const ours = corpus.filter(({ channel }) => channel.startsWith('mfs_'));
const others = corpus.filter(({ channel }) => !channel.startsWith('mfs_'));

function readLine(line: CorpusLine, deliveries: number): Record<string, string | boolean | null> {
  const receivedAtMs = line.received_at === undefined ? null : Date.parse(line.received_at);
  const sms = { sender: line.sender, body: line.body, receivedAtMs };
  const memory = new StreamMemory();
  for (let delivery = 1; delivery < deliveries; delivery++) memory.judge(sms, readSms(engine, sms));
  return told(memory.judge(sms, readSms(engine, sms)));
}

for (const line of ours) {
  test(`${line.id} is ${line.settle} ${line.expect.kind}`, (t) => {
    // The collection holds only the second delivery of its duplicate.
    const reading = readLine(line, line.id === 'd-dup-002' ? 2 : 1);
    const { kind, amount = null, from = null, fee = null, balance = null } = line.expect;
    const { trx_id = null, at = null } = line.expect;
    const { channel, credit, settle } = line;
    t.deepEqual(reading, { channel, kind, credit, settle, amount, from, fee, balance, trx_id, at });
  });
}

for (const line of others) {
  test(`${line.id} of ${line.channel} is taken for none of the four wallets`, (t) => {
    const reading = readLine(line, 1);
    t.is(reading.channel, null);
    t.is(reading.settle, 'never');
  });
}

test('the collection is there', (t) => {
  t.true(ours.length >= 300);
  t.true(others.length >= 30);
});
