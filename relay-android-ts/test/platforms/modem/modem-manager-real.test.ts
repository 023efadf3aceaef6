/** The real ModemManager and the real mmcli, with a modem that is played by this process. */
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { DeliveryReport, Modem, ModemSms, SendResult } from '../../../src/platforms/modem/modem.js';
import { createSmsViaDbus } from '../../../src/platforms/modem/modem-manager/create-sms.js';
import { listModems, loadManagerVersion } from '../../../src/platforms/modem/modem-manager/modem-facts.js';
import { modemManagerModem } from '../../../src/platforms/modem/modem-manager/modem-manager.js';
import { nodeClock } from '../../../src/ports/node-clock.js';
import { deliverPdus, readSubmit } from '../../helpers/modem/pdu.js';
import { AtModem } from '../../helpers/modem-manager/at-modem.js';
import { RealModemManager, until } from '../../helpers/modem-manager/real-modem-manager.js';

const IMEI = '356938035643809';
const BKASH = 'You have received Tk 500.00 from 01711000000. Ref "A1". Fee Tk 0.00. TrxID 8N7A6B5C4D';

const real = new RealModemManager();
const at = new AtModem(IMEI);
const reports: DeliveryReport[] = [];
const late: SendResult[] = [];
let woken = 0;
let modem: Modem;

/** The storage is read again as soon as nothing happens. */
const times = {
  partsMs: 1_000,
  leftoverMs: 60_000,
  resyncQuietMs: 300,
  resyncGapMs: 500,
  resyncPartsGapMs: 500,
  enableLimitMs: 20_000,
};
const log = { info: () => {}, warn: () => {} };

test.before(async () => {
  await real.open();
  await real.plug(at);
  const createSms = createSmsViaDbus(real.address);
  modem = modemManagerModem({ slot: 1, id: IMEI, clock: nodeClock, log, path: real.path, createSms, times });
  await modem.open({
    onSms: () => {
      woken += 1;
    },
    onReport: async (report) => void reports.push(report),
    onHandedOver: (_id, handover) => late.push(handover),
  });
  await until(async () => (await modem.readState()).problem === null);
});

test.after.always(async () => {
  await modem?.close();
  at.close();
  await real.close();
});

async function listed(count: number): Promise<readonly ModemSms[]> {
  await until(async () => (await modem.list()).length >= count);
  return modem.list();
}

/** The objects of SMS that ModemManager has. */
async function raw(): Promise<readonly string[]> {
  const printed = await real.mmcli('-m', 'any', '--messaging-list-sms');
  return (JSON.parse(printed || '{}') as Record<string, string[]>)['modem.messaging.sms'] ?? [];
}

test.serial('enables a disabled modem and reports its state', async (t) => {
  t.deepEqual(await modem.readState(), {
    problem: null,
    registration: 'home',
    sim: 'ready',
    signal: 64,
    temperature: null,
    number: null,
    model: 'huawei E173 11.126',
  });
  const { modems, problem } = await listModems(real.path);
  t.is(problem, null);
  t.regex((await loadManagerVersion(real.path)) ?? '', /^1\.\d+\.\d+$/);
  t.like(modems, [{ imei: IMEI, sim: 'ready', state: 'registered' }]);
});

test.serial('a wallet SMS is returned unchanged, announced by a signal, and removed', async (t) => {
  at.deliver({ from: 'bKash', text: BKASH, at: '2026-11-26T10:15:30+06:00' });
  const [sms, ...others] = await listed(1);
  t.deepEqual(others, []);
  t.like(sms, {
    sender: 'bKash',
    senderType: 'alphanumeric',
    text: BKASH,
    sentAt: '2026-11-26T10:15:30+06:00',
    smsc: '+8801700000600',
  });
  t.true(woken > 0);
  t.deepEqual(await modem.list(), sms === undefined ? [] : [sms]);
  await modem.remove([sms?.place ?? '']);
  t.deepEqual(await modem.list(), []);
  t.is(at.size, 0);
  await modem.remove([sms?.place ?? '']);
});

test.serial(
  'every text passes, oldest first, also where ModemManager has overlooked most of them',
  async (t) => {
    const texts = [
      'টাকা ৫০০ পেয়েছেন 😀',
      'two\nlines\tand \\ "quotes" \'too\'',
      '\x01\x1f\x7f',
      '--',
      ' , }] ',
    ];
    for (const [index, text] of texts.entries()) {
      at.deliver({ from: '01711000000', text, at: `2026-11-26T11:00:${59 - index}+00:00` });
    }
    const stored = await listed(texts.length);
    t.deepEqual(
      stored.map(({ text }) => text),
      texts.reverse(),
    );
    t.is(stored[0]?.sentAt, '2026-11-26T11:00:55+00:00');
    t.is(stored[0]?.senderType, 'national');
    await modem.remove(stored.map(({ place }) => place));
    t.is(at.size, 0);
  },
);

test.serial('parts are waited for, and data without a text blocks nothing', async (t) => {
  at.deliver({ from: '16247', text: '', data: Buffer.from([1, 2]), at: '2026-11-26T12:00:00+06:00' });
  await until(async () => (await raw()).length === 1);
  const text = 'two parts '.repeat(20);
  const [first = '', second = ''] = deliverPdus({ from: '16247', text, reference: 7 });
  at.receive(first);
  await until(async () => (await raw()).length === 2);
  t.deepEqual(await modem.list(), []);
  at.receive(second);
  const [sms] = await listed(1);
  t.like(sms, { text, sender: '16247', senderType: 'short_code' });
  await modem.remove([sms?.place ?? '']);
  t.is(at.size, 1);
});

test.serial('every text is sent as it is, once, with the reference that the network gave', async (t) => {
  const texts = [
    'টাকা',
    'it\'s "both" টাকা, \\ ok',
    "it's টাকা",
    'a "quoted" টাকা',
    'line\nline=ও, number="1"',
    "'",
    ' ও ',
  ];
  for (const [index, text] of texts.entries()) {
    const handover = await modem.send({ id: 'd', number: '+8801711000000', text: `${text}ও` });
    t.deepEqual(handover, { kind: 'sent', references: [index + 1] }, text);
  }
  t.deepEqual(
    at.sent.map((pdu) => readSubmit(pdu).text),
    texts.map((text) => `${text}ও`),
  );
  t.is((await raw()).length, 1, 'nothing is left but the data');
});

test.serial('an SMS that cannot be made is not sent, and it is known why', async (t) => {
  const object = '/org/freedesktop/ModemManager1/Modem/0';
  const make = (path: string, address?: string, limitMs?: number) =>
    createSmsViaDbus(address ?? real.address, limitMs)(path, '01711000000', 'x');
  t.is((await make('/org/freedesktop/ModemManager1/Modem/99')).kind, 'no_modem');
  t.is((await make(object, 'unix:path=/nowhere')).kind, 'not_running');
  t.is((await make(object, 'tcp:host=localhost')).kind, 'not_running');
  const mute = createServer(() => {});
  const path = join(mkdtempSync(join(tmpdir(), 'mute-bus-')), 'bus');
  await new Promise<void>((resolve) => mute.listen(path, resolve));
  t.is((await make(object, `unix:path=${path}`, 200)).kind, 'hung');
  mute.close();
  const before = (await raw()).length;
  const made = await make(object);
  t.is(made.kind, 'answered');
  t.is((await raw()).length, before + 1);
  const name = made.kind === 'answered' ? made.stdout : '';
  await real.mmcli('-m', object, `--messaging-delete-sms=${name}`);
});

test.serial('an SMS of several parts has the reference of its last part', async (t) => {
  const before = at.sent.length;
  const handover = await modem.send({ id: 'd', number: '01711000000', text: 'টাকা '.repeat(30) });
  const parts = at.sent.length - before;
  t.true(parts > 1);
  t.deepEqual(handover, { kind: 'sent', references: [at.sent.length] });
});

test.serial('the reference 0 is returned', async (t) => {
  at.results.push({ reference: 0 });
  const handover = await modem.send({ id: 'd', number: '01711000000', text: 'ok' });
  t.deepEqual(handover, { kind: 'sent', references: [0] });
});

test.serial('a network refusal is returned with its error text, an unclear error as unknown', async (t) => {
  const results = [{ cms: 331 }, { cms: 21 }, { cms: 332 }, { cms: 500 }, { cms: 5000 }, 'error'] as const;
  const kinds: string[] = [];
  for (const result of results) {
    at.results.push(result);
    const handover = await modem.send({ id: 'd', number: '01711000000', text: 'ok' });
    kinds.push(`${handover.kind}${handover.kind === 'sent' ? '' : `: ${handover.error}`}`);
  }
  t.deepEqual(kinds, [
    'refused: No network',
    'refused: Unknown message error: 21',
    'unknown: Network timeout',
    'unknown: Unknown',
    'unknown: Unknown message error: 5000',
    'unknown: Unknown error',
  ]);
});

test.serial('an SMS that the network takes only after the time-out is not sent again', async (t) => {
  const about = { slot: 1, id: null, clock: nodeClock, log, path: real.path };
  const hasty = { ...times, sendLimitMs: 2_000, lateMs: 60_000 };
  const other = modemManagerModem({ ...about, createSms: createSmsViaDbus(real.address), times: hasty });
  const told: [string, SendResult][] = [];
  const onHandedOver = (id: string, handover: SendResult) => told.push([id, handover]);
  await other.open({ onSms: () => {}, onReport: async () => {}, onHandedOver });
  const before = at.sent.length;
  at.results.push('silence');
  t.is((await other.send({ id: 'd1', number: '01711000000', text: 'slow' })).kind, 'unknown');
  await other.list();
  t.deepEqual(told, []);
  at.say('+CMGS: 77\r\n\r\nOK');
  await until(async () => {
    await other.list();
    return told.length > 0;
  });
  t.deepEqual(told, [['d1', { kind: 'sent', references: [77] }]]);
  t.is(at.sent.length, before + 1);
  await other.close();
});

test.serial('reports are passed on and removed', async (t) => {
  const before = (await raw()).length;
  for (const [reference, number, status] of [
    [7, '+8801711000000', 0x00],
    [8, '+8801711000000', 0x21],
    [0, '01711000000', 0x46],
    [9, '01711000000', 0x63],
    [10, '01711000000', 0x01],
  ] as const)
    at.report({ reference, number, status });
  await until(async () => {
    await modem.list();
    return reports.length >= 5;
  });
  t.is((await raw()).length, before);
  t.deepEqual(
    reports.sort((one, other) => one.reference - other.reference),
    [
      { reference: 0, number: '01711000000', state: 'failed' },
      { reference: 7, number: '+8801711000000', state: 'delivered' },
      { reference: 8, number: '+8801711000000', state: 'pending' },
      { reference: 9, number: '01711000000', state: 'failed' },
      { reference: 10, number: '01711000000', state: 'pending' },
    ],
  );
});

test.serial('after a new start of ModemManager a place names no other SMS', async (t) => {
  at.deliver({ from: 'NAGAD', text: 'Money Received. Amount: Tk 50.00' });
  const [sms] = await listed(1);
  await real.stop();
  await t.throwsAsync(modem.list(), { message: /not running/ });
  t.is((await modem.readState()).problem, 'ModemManager is not running');
  t.deepEqual(await modem.send({ id: 'd', number: '01711000000', text: 'x' }), {
    kind: 'refused',
    error: 'ModemManager is not running',
  });
  await real.start();
  await t.throwsAsync(modem.list(), { message: /not plugged in/ });
  at.close();
  await real.plug(at);
  const place = sms?.place ?? '';
  await until(async () => (await modem.list().catch(() => [])).length === 1);
  const [again] = await modem.list();
  t.like(again, { text: sms?.text, sentAt: sms?.sentAt });
  await modem.remove([`${place.split('#')[0]}#0000000000000000`]);
  t.is(at.size, 2);
  await modem.remove([`/org/freedesktop/ModemManager1/SMS/99#${place.split('#')[1]}`]);
  t.is(at.size, 1);
});
