/** SMS through programs that behave as Termux:API's: none is missed, whatever the phone's numbers do. */
import test, { type ExecutionContext } from 'ava';
import { messageId } from '../../../src/core/inbox/queue.js';
import type { Clock, InboxRow } from '../../../src/core/ports.js';
import { readTermuxHealth } from '../../../src/platforms/termux/termux.js';
import { TermuxCalls } from '../../../src/platforms/termux/termux-calls.js';
import { type SimSubs, TermuxInbox } from '../../../src/platforms/termux/termux-inbox.js';
import { FakePhone } from '../../helpers/fake-phone.js';
import { MemoryLog } from '../../helpers/messages.js';

const HOUR = 3_600_000;
/** Noon in Dhaka. */
const NOON = Date.UTC(2026, 0, 31, 6, 0, 0);
/** No calendar reaches that far, so the phone prints no time. */
const NO_TIME = 1e17;
/** A row that has no time where it always had one. */
const NO_FORM = 2e17;

const CLOCK: Clock = { now: () => NOON, after: () => () => {} };

function inboxOf(phone: FakePhone, simSubs: SimSubs = new Map(), log = new MemoryLog()): TermuxInbox {
  return new TermuxInbox(phone.calls(), CLOCK, log, { simSubs, once: false });
}

/** Reads to the end as the pump does. */
async function drain(inbox: TermuxInbox, from: string | null = null) {
  const rows: InboxRow[] = [];
  let cursor = from;
  for (;;) {
    const page = await inbox.since(cursor, 200);
    rows.push(...page.rows);
    cursor = page.cursor;
    if (page.next !== 'more') return { rows, cursor, bodies: rows.map(({ body }) => body) };
  }
}

function ids(rows: readonly InboxRow[]): Set<string> {
  return new Set(rows.map((row) => messageId('dev_test', row)));
}

async function phoneWith(t: ExecutionContext, sms: Parameters<FakePhone['has']>[0], plan: object = {}) {
  const phone = await FakePhone.open(t, plan);
  await phone.has(sms);
  return phone;
}

test('the first start reads the last day by row number, in any script, without sent or untyped SMS', async (t) => {
  const body = 'আপনি ৫০০ টাকা পেয়েছেন 🎉 "quoted" \\ \n second line';
  const phone = await phoneWith(t, [
    { _id: 1, date: NOON - 25 * HOUR },
    { _id: 2, date: NOON - 23 * HOUR, body },
    { _id: 3, date: NOON - 2 * HOUR, type: 'sent' },
    { _id: 4, date: NOON - 2 * HOUR, type: '' },
    { _id: 5, date: NOON - HOUR, address: '+8801700000000' },
  ]);
  const { rows } = await drain(inboxOf(phone));
  t.deepEqual(rows, [
    {
      key: 'termux',
      sender: 'bKash',
      body,
      receivedAt: '2026-01-30T13:00:00.000+06:00',
      simSlot: null,
    },
    {
      key: 'termux',
      sender: '+8801700000000',
      body: 'text 5',
      receivedAt: '2026-01-31T11:00:00.000+06:00',
      simSlot: null,
    },
  ]);
});

test('a phone that writes times in Bangla digits is read as any other', async (t) => {
  const sms = [{ _id: 1, date: NOON - HOUR, body: 'one' }];
  const bangla = await drain(inboxOf(await phoneWith(t, sms, { bangla: true })));
  t.deepEqual(bangla.bodies, ['one']);
  t.deepEqual(bangla.rows, (await drain(inboxOf(await phoneWith(t, sms)))).rows);
});

test('more SMS than fit on a page are read page by page; nothing new costs one call', async (t) => {
  const sms = Array.from({ length: 230 }, (_, at) => ({ _id: at + 1, date: NOON - HOUR + at * 1_000 }));
  const phone = await phoneWith(t, sms);
  const inbox = inboxOf(phone);
  const { cursor, bodies } = await drain(inbox);
  t.deepEqual(
    bodies,
    sms.map(({ _id }) => `text ${_id}`),
  );
  const before = (await phone.called('termux-sms-list')).length;
  const page = await inbox.since(cursor, 200);
  t.deepEqual([page.rows, page.cursor, page.next], [[], cursor, 'idle']);
  t.is((await phone.called('termux-sms-list')).length, before + 1);
});

test('a row whose time nobody can read keeps no other from being read, and is read itself', async (t) => {
  const sms = Array.from({ length: 230 }, (_, at) => ({ _id: at + 1, date: NOON - HOUR + at * 1_000 }));
  const phone = await phoneWith(t, [...sms.slice(0, 20), { _id: 21, date: NO_TIME }, ...sms.slice(21)]);
  const { rows } = await drain(inboxOf(phone));
  t.is(rows.length, 230);
  t.deepEqual(
    rows.filter(({ receivedAt }) => receivedAt === null).map(({ body }) => body),
    ['text 21'],
  );
});

test('rows that cannot be read are counted in the log, once and without their texts', async (t) => {
  const log = new MemoryLog();
  const sms = [
    { _id: 1, date: NOON - HOUR },
    { _id: 2, date: NO_FORM },
    { _id: 3, date: NO_FORM },
  ];
  const phone = await phoneWith(t, [...sms, { _id: 4, date: NOON }]);
  const inbox = inboxOf(phone, undefined, log);
  const { cursor } = await drain(inbox);
  inbox.again(NOON - HOUR);
  await drain(inbox, cursor);
  t.deepEqual(log.lines, ['warn SMS that cannot be read are left out {"count":2}']);
});

test('an inbox where no SMS can be read is a fault, not empty; later all of them are read', async (t) => {
  const sms = (dates: readonly number[]) => dates.map((date, at) => ({ _id: at + 1, date }));
  const phone = await phoneWith(t, sms([NO_FORM, NO_FORM]));
  const inbox = inboxOf(phone);
  const fault = { message: /none can be read/ };
  await t.throwsAsync(inbox.since(null, 100), fault);
  await phone.has(sms([NOON - HOUR, NOON - HOUR]));
  const { bodies, cursor } = await drain(inbox);
  t.deepEqual(bodies, ['text 1', 'text 2']);
  await phone.has(sms([NO_FORM, NO_FORM, NO_FORM]));
  await t.throwsAsync(inbox.since(cursor, 100), fault);
  await phone.has(sms([NOON - HOUR, NOON - HOUR, NOON]));
  t.deepEqual((await drain(inbox, cursor)).bodies, ['text 3']);
});

test('one row that cannot be read holds up the first reading no longer than until the next SMS', async (t) => {
  const before = [
    { _id: 1, date: NO_FORM },
    { _id: 2, date: NOON - 48 * HOUR },
  ];
  const phone = await phoneWith(t, before);
  const inbox = inboxOf(phone);
  await t.throwsAsync(inbox.since(null, 100), { message: /none can be read/ });
  await phone.has([...before, { _id: 3, date: NOON }]);
  t.deepEqual((await drain(inbox)).bodies, ['text 3']);
});

test('after a start new SMS come first, however old their timestamp, then the last day again', async (t) => {
  const old = [
    { _id: 1, date: NOON - 2 * HOUR },
    { _id: 2, date: NOON - HOUR },
  ];
  const phone = await phoneWith(t, old);
  const first = await drain(inboxOf(phone));
  await phone.has([...old, { _id: 3, date: 5_000 }, { _id: 4, date: NOON }]);
  const second = await drain(inboxOf(phone), first.cursor);
  t.deepEqual(second.bodies, ['text 3', 'text 4', 'text 1', 'text 2']);
  t.is(second.rows[0]?.receivedAt?.slice(0, 4), '1970', 'the server judges it');
  t.is(ids([...first.rows, ...second.rows]).size, 4, 'what is read again has its old id');
});

test('SMS that arrived while the phone was off for a week are read, though older than a day', async (t) => {
  const before = [{ _id: 1, date: NOON - 200 * HOUR }];
  const phone = await phoneWith(t, before);
  const { cursor } = await drain(inboxOf(phone));
  await phone.has([...before, { _id: 2, date: NOON - 100 * HOUR }, { _id: 3, date: NOON }]);
  t.deepEqual((await drain(inboxOf(phone), cursor)).bodies, ['text 2', 'text 3']);
});

test('a new SMS with the number of a deleted one is not missed', async (t) => {
  const kept = { _id: 1, date: NOON - HOUR };
  const phone = await phoneWith(t, [kept, { _id: 2, date: NOON - 1_000, body: 'deleted' }]);
  const inbox = inboxOf(phone);
  const { cursor } = await drain(inbox);
  await phone.has([kept, { _id: 2, date: NOON, body: 'new' }]);
  const next = await drain(inbox, cursor);
  t.true(next.bodies.includes('new'));
  t.deepEqual((await drain(inbox, next.cursor)).bodies, [], 'and then all is quiet');
});

test('after a phone reset its list is read again by time, and known SMS keep their ids', async (t) => {
  const early = { _id: 900, date: NOON - HOUR, body: 'early' };
  const late = { _id: 901, date: NOON - 60_000, body: 'late' };
  const phone = await phoneWith(t, [early, late]);
  const inbox = inboxOf(phone);
  const first = await drain(inbox);
  await phone.has([
    { ...early, _id: 1 },
    { ...late, _id: 2 },
    { _id: 3, date: NOON, body: 'after the reset' },
  ]);
  const second = await drain(inbox, first.cursor);
  t.deepEqual(second.bodies, ['early', 'late', 'after the reset']);
  t.is(ids([...first.rows, ...second.rows]).size, 3);
  await phone.has([]);
  const third = await drain(inbox, second.cursor);
  t.deepEqual(third.bodies, []);
  await phone.has([{ _id: 1, date: NOON + 5_000, body: 'first of an empty list' }]);
  t.deepEqual((await drain(inbox, third.cursor)).bodies, ['first of an empty list']);
});

test('the same text in another second is another SMS', async (t) => {
  const same = { body: 'OTP 1234' };
  const phone = await phoneWith(t, [
    { _id: 1, date: NOON - 5_000, ...same },
    { _id: 2, date: NOON - 4_000, ...same },
    { _id: 3, date: NOON - 3_900, ...same },
  ]);
  t.is(ids((await drain(inboxOf(phone))).rows).size, 2);
});

test('a resend request returns the SMS since that time, and new ones keep arriving', async (t) => {
  const sms = [1, 2, 3].map((_id) => ({ _id, date: NOON - (40 - 10 * _id) * HOUR }));
  const phone = await phoneWith(t, sms);
  const inbox = inboxOf(phone);
  const { cursor } = await drain(inbox);
  inbox.again(NOON - 21 * HOUR);
  t.deepEqual((await drain(inbox, cursor)).bodies, ['text 2', 'text 3']);
  inbox.again(NOON - 48 * HOUR);
  await phone.has([...sms, { _id: 4, date: NOON }]);
  t.deepEqual((await drain(inbox, cursor)).bodies, ['text 4', 'text 1', 'text 2', 'text 3']);
});

for (const zone of ['America/New_York', 'Asia/Kathmandu', 'UTC']) {
  test.serial(
    `a phone in the zone ${zone} reports the right moment, even right after it moved there`,
    async (t) => {
      const zoneBefore = process.env.TZ;
      t.teardown(() => {
        if (zoneBefore === undefined) delete process.env.TZ;
        else process.env.TZ = zoneBefore;
      });
      process.env.TZ = 'Asia/Dhaka';
      const phone = await phoneWith(t, [{ _id: 1, date: NOON - HOUR }], { zone });
      await readTermuxHealth(phone.calls());
      const { rows } = await drain(inboxOf(phone));
      t.is(rows[0]?.receivedAt, '2026-01-31T11:00:00.000+06:00');
    },
  );
}

test('with one SIM nothing is asked about SIMs; with two each SMS gets its slot, or none where nobody knows', async (t) => {
  const sms = [7, 9, 7, 11].map((sub_id, at) => ({ _id: at + 1, date: NOON - HOUR + at, sub_id }));
  const phone = await phoneWith(t, sms);
  await drain(inboxOf(phone));
  t.false(JSON.stringify(await phone.called()).includes('sub_id'));
  const subs = new Map([
    [1, 9],
    [2, 7],
  ]);
  const { rows } = await drain(inboxOf(phone, subs));
  t.deepEqual(
    rows.map(({ simSlot }) => simSlot),
    [2, 1, 2, null],
  );
});

test('a missing permission, a missing program and a silent phone are reported clearly and lose nothing', async (t) => {
  const phone = await phoneWith(t, [{ _id: 1, date: NOON - HOUR }]);
  const inbox = inboxOf(phone);
  await phone.plan({ refuse: { 'termux-sms-list': 'Please grant the following permission(s): READ_SMS' } });
  const refused = await t.throwsAsync(inbox.since(null, 100), {
    message: /refuses termux-sms-list: Please grant/,
  });
  t.like(refused, { problem: 'cannot read SMS: Termux:API lacks the SMS permission' });
  const nowhere = new TermuxCalls(`${phone.folder}/nowhere`);
  const bare = new TermuxInbox(nowhere, CLOCK, new MemoryLog(), { simSubs: new Map(), once: false });
  const missing = await t.throwsAsync(bare.since(null, 100), { message: /pkg install termux-api/ });
  t.like(missing, { problem: 'cannot read SMS: termux-sms-list is not there' });
  await phone.plan({ hang: ['termux-sms-list'] });
  const asleep = new TermuxInbox(phone.calls(50), CLOCK, new MemoryLog(), {
    simSubs: new Map(),
    once: false,
  });
  const hung = await t.throwsAsync(asleep.since(null, 100), { message: /open the app Termux:API once/ });
  t.like(hung, { problem: 'cannot read SMS: Termux:API does not answer' });
  await phone.plan({ print: {} });
  t.deepEqual((await drain(inbox)).bodies, ['text 1']);
});
