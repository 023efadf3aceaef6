/** `kashbox why` as people and scripts call it: one answer, its shape and exit codes, commands to paste. */
import { execFileSync } from 'node:child_process';
import test from 'ava';
import type { WhyView } from '../../src/cli/text/why-text.js';
import { openCli } from '../helpers/programs/cli.js';

test.serial('an answer ends with a command that does what it says when it is pasted', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('setup', '--merchant-name', "Rahim's", '--account', 'mfs_a:personal:01711000001', '--json');
  const text =
    'You have received Tk 410.00 from 01912345678. Fee Tk 0.00. Balance Tk 8,431.25. TrxID DKM4TYP001 at 23/11/2026 14:02';
  const sms = ['sms', 'add', '--merchant', "Rahim's", '--recipient', '01711000001', '--sender', 'bKash'];
  t.is((await kashbox(...sms, '--text', text, '--received-at', '2026-11-23 14:03')).code, 0);
  const order = ['payments', 'create', '--brand', "Rahim's", '--name', 'R', '--amount', '410', '--json'];
  const { id } = (await kashbox(...order)).json<{ id: string }>();
  t.is(
    (await kashbox('payments', 'verify', id, '--channel', 'mfs_a', '--transaction-id', 'DKM4TYPO01')).code,
    3,
  );

  const asked = await kashbox('why', 'DKM4TYPO01', '--since', '2026-11-01', '--json');
  t.is(asked.code, 0);
  const { answers, question } = asked.json<WhyView>();
  t.is(question, 'DKM4TYPO01');
  t.deepEqual(
    answers.map(({ cause }) => cause),
    ['one_letter'],
  );
  t.deepEqual(Object.keys(answers[0] ?? {}).sort(), [
    'cause',
    'claims',
    'credits',
    'gaps',
    'money',
    'next',
    'payment',
    'phones',
    'refunds',
    'reviews',
    'says',
  ]);
  t.regex(answers[0]?.next[0] ?? '', /^kashbox sms show sms_\w+$/, 'the id is of another day');
  const next = answers[0]?.next.find((line) => line.includes(' approve ')) ?? '';
  const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${next}`], { encoding: 'utf8' });
  const [program, ...args] = words.trim().split('\n');
  t.is(program, 'kashbox');
  const unreasoned = await kashbox(...args);
  t.is(unreasoned.code, 2, 'whoever decides says why');
  t.regex(
    unreasoned.stderr,
    /"WHY" in the command is a placeholder for your note\nNext: Replace it with a sentence/,
  );
  t.is((await kashbox(...args.map((word) => (word === 'WHY' ? 'seen in the app' : word)))).code, 0);
  t.is((await kashbox('why', id, '--json')).json<WhyView>().answers[0]?.cause, 'credited');
  const beginning = id.slice(0, 24);
  t.is((await kashbox('why', beginning, '--json')).json<WhyView>().answers[0]?.cause, 'credited');
  const plain = await kashbox('why', '410');
  t.regex(plain.stdout, /COMPLETED\nIt is credited: Tk 410\.00 by mfs_a, transaction DKM4TYP001/);
});

test.serial('text typed by a stranger cannot become a command', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('setup', '--merchant-name', 'Alo', '--account', 'mfs_a:personal:01711000001', '--json');
  const order = ['payments', 'create', '--brand', 'Alo', '--name', "x'; touch /x", '--amount', '5', '--json'];
  const { id } = (await kashbox(...order)).json<{ id: string }>();
  const evil = "$(id)';id;'`id`";
  const claim = ['payments', 'verify', id, '--channel', 'exchange_pay', '--transaction-id', evil];
  t.not((await kashbox(...claim)).code, 1);
  for (const asked of [id, evil]) {
    const { answers } = (await kashbox('why', asked, '--json')).json<WhyView>();
    for (const next of answers.flatMap((answer) => answer.next)) {
      const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${next}`], { encoding: 'utf8' });
      t.false(/uid=/.test(words), next);
      t.is(words.split('\n')[0], 'kashbox');
    }
  }
});

test.serial('rejects an unreadable query and says what to write', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('setup', '--merchant-name', 'Alo', '--account', 'mfs_a:personal:01711000001', '--json');
  const refused = await kashbox('why', 'two words');
  t.is(refused.code, 2);
  t.regex(
    refused.stderr,
    /is not a transaction id, amount, phone number, order number or payment\nNext: Write one of them/,
  );
});
