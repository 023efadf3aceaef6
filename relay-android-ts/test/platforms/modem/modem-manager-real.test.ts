/** The real ModemManager and the real mmcli, with a modem that is played by this process. */
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { DeliveryReport, Modem, ModemSms, SendResult } from '../../../src/platforms/modem/modem.js';
import { createSmsViaDbus } from '../../../src/platforms/modem/modem-manager/create-sms.js';
import type { ManagerTimes } from '../../../src/platforms/modem/modem-manager/mmcli.js';
import { listModems, loadManagerVersion } from '../../../src/platforms/modem/modem-manager/modem-facts.js';
import { modemManagerModem } from '../../../src/platforms/modem/modem-manager/modem-manager.js';
import { nodeClock } from '../../../src/ports/node-clock.js';
import { until } from '../../helpers/agent.js';
import { deliverPdus, readSubmit } from '../../helpers/modem/pdu.js';
import { AtModem } from '../../helpers/modem-manager/at-modem.js';
import { RealModemManager } from '../../helpers/modem-manager/real-modem-manager.js';

const IMEI = '356938035643809';
const BKASH = 'You have received Tk 500.00 from 01711000000. Ref "A1". Fee Tk 0.00. TrxID 8N7A6B5C4D';

const real = new RealModemManager();
const at = new AtModem(IMEI);
let object = '';

/** The limits of calls are long: a call that takes its time on a busy machine is not a fault. */
const LIMITS = { callLimitMs: 120_000, enableLimitMs: 120_000 };
/** The storage is read again as soon as nothing happens. Then each SMS has another place. */
const QUICK = { resyncQuietMs: 300, resyncGapMs: 500, resyncPartsGapMs: 500 };

test.before(async () => {
  await real.open();
  object = await real.plug(at);
});

test.beforeEach(() => real.reset(at));

test.after.always(async () => {
  at.close();
  await real.close();
});

/** A driver of its own for each test, and what it has announced. */
async function opened(t: ExecutionContext, times: Partial<ManagerTimes> = {}, { address, path } = real) {
  const createSms = createSmsViaDbus(address, LIMITS.callLimitMs);
  const about = {
    slot: 1,
    id: IMEI,
    clock: nodeClock,
    log: { info: () => {}, warn: () => {} },
    path,
  };
  const modem = modemManagerModem({ ...about, createSms, times: { ...LIMITS, ...times } });
  const told = { wakes: 0, reports: [] as DeliveryReport[], late: [] as [string, SendResult][] };
  t.teardown(() => modem.close());
  await modem.open({
    onSms: () => {
      told.wakes += 1;
    },
    onReport: async (report) => void told.reports.push(report),
    onHandedOver: (id, handover) => told.late.push([id, handover]),
  });
  await until('the modem works', async () => (await modem.readState()).problem === null);
  return { modem, told };
}

/** The first list of at least `count` SMS. */
async function listed(modem: Modem, count: number): Promise<readonly ModemSms[]> {
  let stored: readonly ModemSms[] = [];
  await until(`a list of ${count}`, async () => {
    stored = await modem.list();
    return stored.length >= count;
  });
  return stored;
}

/** What does not change when the storage is read again. */
const contents = (stored: readonly ModemSms[]) => stored.map(({ place: _, ...content }) => content);
const places = (stored: readonly ModemSms[]) => stored.map(({ place }) => place);

/** The objects of SMS that ModemManager has. */
async function raw(): Promise<readonly string[]> {
  const printed = await real.mmcli('-m', 'any', '--messaging-list-sms');
  return (JSON.parse(printed || '{}') as Record<string, string[]>)['modem.messaging.sms'] ?? [];
}

test.serial('enables a disabled modem and reports its state', async (t) => {
  // Another ModemManager: this one measures the signal only when it enables a modem for the first time.
  const other = new RealModemManager();
  const fresh = new AtModem(IMEI);
  t.teardown(async () => {
    fresh.close();
    await other.close();
  });
  await other.open();
  await other.plug(fresh);
  const { modem } = await opened(t, {}, other);
  await until('the signal is measured', async () => (await modem.readState()).signal !== 0);
  t.deepEqual(await modem.readState(), {
    problem: null,
    registration: 'home',
    sim: 'ready',
    signal: 64,
    temperature: null,
    number: null,
    model: 'huawei E173 11.126',
  });
  const { modems, problem } = await listModems(other.path);
  t.is(problem, null);
  t.regex((await loadManagerVersion(other.path)) ?? '', /^1\.\d+\.\d+$/);
  t.like(modems, [{ imei: IMEI, sim: 'ready', state: 'registered' }]);
});

test.serial('a wallet SMS is returned unchanged, once, and removed', async (t) => {
  const { modem } = await opened(t, QUICK);
  at.deliver({ from: 'bKash', text: BKASH, at: '2026-11-26T10:15:30+06:00' });
  const first = await listed(modem, 1);
  t.deepEqual(contents(first), [
    {
      sender: 'bKash',
      senderType: 'alphanumeric',
      text: BKASH,
      sentAt: '2026-11-26T10:15:30+06:00',
      smsc: '+8801700000600',
    },
  ]);
  t.deepEqual(contents(await modem.list()), contents(first));
  t.is(at.size, 1);
  await modem.remove(places(first));
  t.is(at.size, 0);
  t.deepEqual(await modem.list(), []);
  await modem.remove(places(first));
});

test.serial(
  'an SMS has another place after its storage is read again, and is removed by the old one',
  async (t) => {
    const { modem } = await opened(t, QUICK);
    at.deliver({ from: 'bKash', text: BKASH });
    const before = await listed(modem, 1);
    let after = before;
    await until('the place is another', async () => {
      after = await modem.list();
      return after[0]?.place !== before[0]?.place;
    });
    t.deepEqual(contents(after), contents(before));
    await modem.remove(places(before));
    t.is(at.size, 0);
    t.deepEqual(await modem.list(), []);
  },
);

test.serial('an SMS is announced by a signal', async (t) => {
  const { told } = await opened(t);
  // dbus-monitor does not say from when on it listens.
  await until('a signal', async () => {
    at.deliver({ from: 'bKash', text: BKASH });
    await raw();
    return told.wakes > 0;
  });
  t.pass();
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
    const { modem } = await opened(t, { ...QUICK, partsMs: 1_000 });
    const stored = await listed(modem, texts.length);
    t.deepEqual(
      stored.map(({ text }) => text),
      texts.reverse(),
    );
    t.is(stored[0]?.sentAt, '2026-11-26T11:00:55+00:00');
    t.is(stored[0]?.senderType, 'national');
    await modem.remove(places(stored));
    t.is(at.size, 0);
  },
);

test.serial('parts are waited for, and data without a text blocks nothing', async (t) => {
  const { modem } = await opened(t, QUICK);
  const isThere = async (count: number) => {
    t.deepEqual(await modem.list(), []);
    return (await raw()).length === count;
  };
  at.deliver({ from: '16247', text: '', data: Buffer.from([1, 2]), at: '2026-11-26T12:00:00+06:00' });
  await until('the data', () => isThere(1));
  const text = 'two parts '.repeat(20);
  const [first = '', second = ''] = deliverPdus({ from: '16247', text, reference: 7 });
  at.receive(first);
  await until('the first part', () => isThere(2));
  at.receive(second);
  const stored = await listed(modem, 1);
  t.is(stored.length, 1);
  t.like(stored[0], { text, sender: '16247', senderType: 'short_code' });
  await modem.remove(places(stored));
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
  const { modem } = await opened(t);
  for (const [index, text] of texts.entries()) {
    const handover = await modem.send({ id: 'd', number: '+8801711000000', text: `${text}ও` });
    t.deepEqual(handover, { kind: 'sent', references: [index + 1] }, text);
  }
  t.deepEqual(
    at.sent.map((pdu) => readSubmit(pdu).text),
    texts.map((text) => `${text}ও`),
  );
  t.deepEqual(await raw(), []);
});

test.serial('an SMS that cannot be made is not sent, and it is known why', async (t) => {
  const make = (path: string, address?: string, limitMs = LIMITS.callLimitMs) =>
    createSmsViaDbus(address ?? real.address, limitMs)(path, '01711000000', 'x');
  t.is((await make('/org/freedesktop/ModemManager1/Modem/99')).kind, 'no_modem');
  t.is((await make(object, 'unix:path=/nowhere')).kind, 'not_running');
  t.is((await make(object, 'tcp:host=localhost')).kind, 'not_running');
  const mute = createServer(() => {});
  const path = join(mkdtempSync(join(tmpdir(), 'mute-bus-')), 'bus');
  await new Promise<void>((resolve) => mute.listen(path, resolve));
  t.is((await make(object, `unix:path=${path}`, 200)).kind, 'hung');
  mute.close();
  t.deepEqual(await raw(), []);
  t.is((await make(object)).kind, 'answered');
  t.is((await raw()).length, 1);
});

test.serial('an SMS of several parts has the reference of its last part', async (t) => {
  const { modem } = await opened(t);
  const handover = await modem.send({ id: 'd', number: '01711000000', text: 'টাকা '.repeat(30) });
  t.true(at.sent.length > 1);
  t.deepEqual(handover, { kind: 'sent', references: [at.sent.length] });
});

test.serial('the reference 0 is returned', async (t) => {
  const { modem } = await opened(t);
  at.results.push({ reference: 0 });
  const handover = await modem.send({ id: 'd', number: '01711000000', text: 'ok' });
  t.deepEqual(handover, { kind: 'sent', references: [0] });
});

test.serial('a network refusal is returned with its error text, an unclear error as unknown', async (t) => {
  const { modem } = await opened(t);
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
  const { modem, told } = await opened(t, { sendLimitMs: 6_000 });
  at.results.push('silence');
  t.is((await modem.send({ id: 'd1', number: '01711000000', text: 'slow' })).kind, 'unknown');
  await modem.list();
  t.deepEqual(told.late, []);
  await until('the modem has it', () => at.sent.length > 0);
  at.say('+CMGS: 77\r\n\r\nOK');
  await until('the reference is known', async () => {
    await modem.list();
    return told.late.length > 0;
  });
  t.deepEqual(told.late, [['d1', { kind: 'sent', references: [77] }]]);
  t.is(at.sent.length, 1);
});

test.serial('reports are passed on and removed', async (t) => {
  // Without reading the storage again: ModemManager has reports in its memory only.
  const { modem, told } = await opened(t);
  for (const [reference, number, status] of [
    [7, '+8801711000000', 0x00],
    [8, '+8801711000000', 0x21],
    [0, '01711000000', 0x46],
    [9, '01711000000', 0x63],
    [10, '01711000000', 0x01],
  ] as const)
    at.report({ reference, number, status });
  await until('five reports', async () => {
    await modem.list();
    return told.reports.length >= 5;
  });
  t.deepEqual(await raw(), []);
  t.deepEqual(
    told.reports.sort((one, other) => one.reference - other.reference),
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
  const { modem } = await opened(t, QUICK);
  at.deliver({ from: 'NAGAD', text: 'Money Received. Amount: Tk 50.00' });
  const before = await listed(modem, 1);
  const [object = '', content = ''] = before[0]?.place.split('#') ?? [];
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
  let again: readonly ModemSms[] = [];
  await until('the SMS is there again', async () => {
    again = await modem.list().catch(() => []);
    return again.length > 0;
  });
  t.deepEqual(contents(again), contents(before));
  await modem.remove([`${object}#0000000000000000`]);
  t.is(at.size, 1);
  await modem.remove([`/org/freedesktop/ModemManager1/SMS/99#${content}`]);
  t.is(at.size, 0);
});
