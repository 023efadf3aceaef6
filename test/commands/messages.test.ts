import test from 'ava';
import { type Failed, openCli } from '../helpers/programs/cli.js';

interface Sms {
  readonly id: string;
  readonly state: string;
  readonly message: string;
}

async function openPhone(t: Parameters<typeof openCli>[0]) {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const sim = ['--sim', '1=01711000001'];
  await kashbox('devices', 'enroll', '--merchant', 'Alo', '--name', 'counter-1', ...sim);
  const send = (...args: string[]) => kashbox('messages', 'send', '--device', 'counter-1', ...args);
  return { kashbox, send };
}

test.serial('messages send queues without a daemon; list, show and cancel chain in pipes', async (t) => {
  const { kashbox, send } = await openPhone(t);
  const to = ['--to', '01812345678'];
  const made = await send(
    ...to,
    '--message',
    'Your order is ready',
    '--idempotency-key',
    'order-17',
    '--json',
  );
  t.is(made.code, 0, made.stderr);
  t.regex(made.stderr, /counter-1 is offline/);
  const sms = made.json<Sms>();
  t.like(sms, { state: 'QUEUED', number: '+8801812345678', parts: 1, device: 'counter-1' });
  const again = await send(
    ...to,
    '--message',
    'Your order is ready',
    '--idempotency-key',
    'order-17',
    '--json',
  );
  t.is(again.json<Sms>().id, sms.id);
  const other = await send(...to, '--message', 'Other', '--idempotency-key', 'order-17', '--json');
  t.is(other.code, 4);
  t.is(other.json<Failed>().error.code, 'dispatch_conflict');

  const piped = [
    'messages',
    'send',
    '--device',
    'counter-1',
    ...to,
    '--message',
    '-',
    '--sim',
    '1',
    '--json',
  ];
  t.is((await kashbox.piped('আপনার অর্ডার\nপ্রস্তুত\n', ...piped)).json<Sms>().message, 'আপনার অর্ডার\nপ্রস্তুত');

  const listed = await kashbox('messages', 'list', '--device', 'counter-1', '--status', 'QUEUED', '--ndjson');
  t.is(listed.ndjson<Sms>().length, 2);
  const shown = await kashbox.piped(listed.stdout, 'messages', 'show', '-', '--json');
  t.deepEqual(shown.json<Sms[]>(), listed.ndjson<Sms>());
  const cancelled = await kashbox.piped(listed.stdout, 'messages', 'cancel', '-', '--ndjson');
  t.deepEqual(
    cancelled.ndjson<Sms>().map(({ state }) => state),
    ['CANCELLED', 'CANCELLED'],
  );
  const late = await kashbox('messages', 'cancel', sms.id, '--json');
  t.is(late.code, 4);
  t.is(late.json<Failed>().error.message, 'Only a queued SMS can be cancelled; this one is CANCELLED');
  const soon = await send(...to, '--message', 'Soon', '--ttl', '5');
  t.is(soon.code, 2);
  t.regex(soon.stderr, /^Error: --ttl must be a whole number from 60 to 259200\nNext: .*--help/);
  const csv = await kashbox('messages', 'list', '--csv');
  t.regex(csv.stdout, /^id,device,number,state,/);
  t.is((await kashbox('messages', 'list', '--status', 'QUEUED')).stdout, 'There are no such SMS.\n');
});

test.serial('messages send refuses what no phone can send, and people read the rest', async (t) => {
  const { kashbox, send } = await openPhone(t);
  const to = ['--to', '01812345678', '--message'];
  const wrong = [
    ['--to', '0181', '--message', 'x'],
    [...to, ' '],
    [...to, 'x', '--sim', '2'],
    [...to, 'x', '--ttl', '5'],
  ];
  for (const args of wrong) t.is((await send(...args)).code, 2, args.join(' '));
  const nobody = ['--device', 'none', '--to', '01812345678', '--message', 'x'];
  t.is((await kashbox('messages', 'send', ...nobody)).code, 3);
  t.is((await kashbox('messages', 'show', 'dsp_none')).code, 3);
  const read = await send('--to', '01812345678', '--message', 'Hello');
  t.regex(read.stdout, /State +QUEUED \(waits for the phone\)\n/);
  t.regex(read.stdout, /Parts +1 GSM-7, 0 sent, 0 delivered\n/);
  t.regex((await kashbox('messages', 'list')).stdout, /counter-1 +\+8801812345678 +QUEUED +0\/1 +Hello\n/);
});
