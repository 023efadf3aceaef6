/** The real agent on a simulated phone brings texts of banks and of Bangla QR, and each of them is read. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { startDaemon } from '../helpers/programs/daemon.js';
import { kashboxProgram, pairRelay, relayProgram, runNode } from '../helpers/programs/processes.js';
import { enrollIn } from '../helpers/shop/relayed.js';
import { TALLYPAY } from '../helpers/shop/sources.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const SOURCES = ['tallypay', 'ebl', 'brac', 'sonali', 'ibbl', 'trust-bank', 'uttara', 'tap', 'midland'];
const QR = 'Payment - Bangla QR Successfully Received. \nAmount: Tk 640.00 \nTxn ID: 0001U735';

const banks = readFileSync('test/fixtures/sms-2026-11.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { sender: string; text: string; expected: { channel: string | null } })
  .filter(({ expected }) => expected.channel === null)
  .map(({ sender, text }) => ({ sender, body: text }));
const texts = [...banks, { sender: 'TallyPay', body: TALLYPAY }, { sender: 'NAGAD', body: QR }];

test.serial('texts of banks, TallyPay and Bangla QR are stored and read', async (t) => {
  const [home, phone, inbox] = [await temporaryFolder(t), await temporaryFolder(t), await temporaryFolder(t)];
  const env = { KASHBOX_HOME: home, KASHBOX_CONFIG_DIR: `${home}/contexts` };
  const { code } = await enrollIn(home, 'relay', ['1=01711000001']);
  for (const name of SOURCES) {
    const made = await runNode(t, [kashboxProgram, 'sms', 'learn', name], env);
    t.is(made.code, 0, made.stderr);
  }
  const daemon = await startDaemon(t, { home });
  await pairRelay(t, daemon, code, phone);
  const received_at = new Date().toISOString();
  for (const [index, { sender, body }] of texts.entries()) {
    const sms = { id: `s${index}`, sender, body, received_at, sim_slot: 1 };
    writeFileSync(join(inbox, `${String(index).padStart(3, '0')}.json`), JSON.stringify(sms));
  }
  const run = [relayProgram, 'run', '--home', phone, '--inbox', inbox, '--once'];
  const agent = await runNode(t, run);
  t.is(agent.code, 0, agent.stderr);
  const listed = await runNode(t, [kashboxProgram, 'sms', 'list', '--json'], env);
  const stored = JSON.parse(listed.stdout) as Record<
    'body' | 'channel' | 'settle' | 'amount',
    string | null
  >[];
  t.is(stored.length, texts.length);
  for (const { body, channel, settle, amount } of stored) {
    t.is(settle, 'review', body ?? '');
    t.truthy(channel);
    t.truthy(amount);
  }
  const why = await runNode(t, [kashboxProgram, 'why', '1898.57'], env);
  t.regex(why.stdout, /YY1Z85HTP/);
});
