/** SMS at the door: what is kept of them, what is refused with which reason, and which times can be read. */
import test from 'ava';
import {
  parseClockTime,
  parseIncomingSms,
  parseInstant,
  parseSimSlot,
} from '../../../src/domain/sms/incoming-sms.js';

const NOW = Date.UTC(2026, 7, 21, 7);
const AT = Date.UTC(2026, 7, 21, 6, 35, 10);
const SMS = { id: '1', sender: 'bKash', body: 'You have received Tk 500.00', received_at: AT, sim_slot: 2 };
/** Phones tell neither. */
const NOT_TOLD = { smsc: null, senderType: null };

test('a message is kept as the phone shows it, with its time and its SIM', (t) => {
  t.deepEqual(parseIncomingSms(SMS, NOW), {
    ok: true,
    sms: { id: '1', sender: 'bKash', body: SMS.body, receivedAtMs: AT, simSlot: 2, ...NOT_TOLD },
  });
});

test('without a time the message came now, and without a SIM nobody knows which', (t) => {
  const sms = { id: '1', sender: 'bKash', body: '' };
  t.deepEqual(parseIncomingSms(sms, NOW), {
    ok: true,
    sms: { ...sms, receivedAtMs: NOW, untimed: 'absent', simSlot: null, ...NOT_TOLD },
  });
});

const DAY = 86_400_000;

test('an impossible time is replaced by the arrival and refuses nothing, whatever its form', (t) => {
  for (const received_at of [
    ...[null, '', 'yesterday', '26-11-27', '0000-00-00 00:00:00', {}, [], true, Number.NaN, -1, 0, '0'],
    ...['1970-01-01T00:00:00Z', Date.UTC(2000, 0, 1) - 1, AT / 1_000, '9999-12-31T23:59:59Z'],
    ...[NOW + 30 * DAY + 1, '2038-01-19T03:14:07Z'],
  ]) {
    const read = parseIncomingSms({ ...SMS, received_at }, NOW);
    t.like(read.ok ? read.sms : null, { receivedAtMs: NOW, untimed: 'impossible' }, String(received_at));
  }
  for (const received_at of [Date.UTC(2000, 0, 1), NOW + 30 * DAY, '2026-08-21 12:35']) {
    const read = parseIncomingSms({ ...SMS, received_at }, NOW);
    t.is(read.ok ? read.sms.untimed : null, undefined, String(received_at));
  }
});

test("a phone's own clock may be in any year", (t) => {
  t.is(parseClockTime('1970-01-01T06:00:01+06:00'), 1_000);
  t.is(parseClockTime(NOW), NOW);
  for (const value of ['', 'now', null, undefined, {}, 0.5, Number.NaN]) t.is(parseClockTime(value), null);
});

test('a modem reports the SMS centre and the type of sender; invalid values are dropped', (t) => {
  const told = (fields: object) => {
    const read = parseIncomingSms({ ...SMS, ...fields }, NOW);
    return read.ok ? [read.sms.smsc, read.sms.senderType] : read.reason;
  };
  t.deepEqual(told({ smsc: '+8801700000600', sender_type: 'alphanumeric' }), [
    '+8801700000600',
    'alphanumeric',
  ]);
  for (const smsc of ['', 'bKash', '+', '1'.repeat(21), 8_801_700_000_600, null]) {
    t.deepEqual(told({ smsc, sender_type: 'name' }), [null, null]);
  }
});

const ID = 'id must be a text of 1 to 200 characters';
const SENDER = 'sender must be a text of 1 to 100 characters';
const refused: readonly (readonly [what: string, message: unknown, id: string | null, reason: string])[] = [
  ['a text', 'bKash', null, 'a message must be an object'],
  ['null', null, null, 'a message must be an object'],
  ['a list', [SMS], null, 'a message must be an object'],
  ['no id', { ...SMS, id: undefined }, null, ID],
  ['an id that is a number', { ...SMS, id: 1 }, null, ID],
  ['an empty id', { ...SMS, id: '' }, null, ID],
  ['an id of 201 characters', { ...SMS, id: 'x'.repeat(201) }, null, ID],
  ['a sender that is a number', { ...SMS, sender: 16_247 }, '1', SENDER],
  ['an empty sender', { ...SMS, sender: '' }, '1', SENDER],
  ['a sender of 101 characters', { ...SMS, sender: 'x'.repeat(101) }, '1', SENDER],
  ['a body that is no text', { ...SMS, body: ['x'] }, '1', 'body must be a text'],
  ['too long a body', { ...SMS, body: 'x'.repeat(16_385) }, '1', 'body may be at most 16384 characters'],
];
for (const [what, message, id, reason] of refused) {
  test(`${what} is refused, and the answer says why`, (t) => {
    t.deepEqual(parseIncomingSms(message, NOW), { ok: false, id, reason });
  });
}

test('the longest id, sender and body are kept whole', (t) => {
  const longest = { id: 'i'.repeat(200), sender: 's'.repeat(100), body: 'b'.repeat(16_384) };
  const read = parseIncomingSms(longest, NOW);
  t.like(read.ok ? read.sms : null, longest);
});

test('characters that no database stores become visible; the SMS is kept', (t) => {
  const read = parseIncomingSms({ ...SMS, sender: 'b\0', body: 'half \ud83d' }, NOW);
  t.like(read.ok ? read.sms : null, { sender: 'b␀', body: 'half \ufffd' });
});

test('a SIM is a digit from 1 to 9, as a number or a text', (t) => {
  for (const slot of [1, 9]) {
    for (const value of [slot, String(slot), ` ${slot} `]) t.is(parseSimSlot(value), slot, String(value));
  }
  for (const value of [
    0,
    10,
    -1,
    1.5,
    '0',
    '12',
    'x1',
    '1x',
    '1.0',
    '',
    ' ',
    true,
    [1],
    {},
    null,
    undefined,
  ]) {
    t.is(parseSimSlot(value), null, String(value));
  }
});

test('a time is ISO 8601, without an offset in Bangladesh, or unix milliseconds', (t) => {
  for (const value of [
    AT,
    String(AT),
    ` ${AT}\n`,
    '2026-08-21T06:35:10Z',
    '2026-08-21 06:35:10Z',
    '2026-08-21T06:35:10.000Z',
    '2026-08-21T12:35:10+06:00',
    '2026-08-21T12:35:10+0600',
    '2026-08-21T01:05:10-05:30',
    '2026-08-21T12:35:10',
    '2026-08-21 12:35:10',
    '2026-08-21 12:35:10.0',
    ' 2026-08-21 12:35:10 ',
  ]) {
    t.is(parseInstant(value), AT, String(value));
  }
  for (const value of ['2026-08-21T12:35', '2026-08-21 12:35', '2026-08-21T12:35+06:00']) {
    t.is(parseInstant(value), AT - 10_000, value);
  }
  t.is(parseInstant(AT + 0.9), AT);
});

test('a time that could mean anything else is null', (t) => {
  for (const value of [
    ...['', 'now', '2026-08-21', '21/08/2026 12:35', '12:35', '2026-08-21T12', '2026-8-21 12:35'],
    ...['2026-08-21T12:35:10+6', 'x2026-08-21T12:35', '2026-08-21T12:35x', '2026-08-21T12:35Zx'],
    ...['2026-13-21T12:35', '2026-08-32 12:35', '2026-08-21 25:35', '2026-08-21 12:60', '2026-08-21T12:35:1'],
    ...['on 2026-08-21 12:35', '+002026-08-21T12:35Z', '2026-08-21T12:35Z (about)'],
    ...[`0${AT}`, `${AT}0`, String(AT / 1_000), `-${AT}`, `${AT}.5`],
    ...[AT / 1_000, Number.NaN, Number.POSITIVE_INFINITY, true, [AT], {}, null, undefined],
  ]) {
    t.is(parseInstant(value), null, String(value));
  }
});

test('only times of this century are read: others are in another unit or wrong', (t) => {
  const first = Date.UTC(2000, 0, 1);
  const last = Date.UTC(2100, 0, 1) - 1;
  for (const ms of [first, last]) t.is(parseInstant(ms), ms);
  for (const ms of [first - 1, last + 1, 0, -AT]) t.is(parseInstant(ms), null);
});
