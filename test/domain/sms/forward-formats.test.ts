/** What forwarder apps post, as their published sources and READMEs have it. */
import test from 'ava';
import {
  FORWARD_FORMATS,
  forwardFormat,
  forwardHealth,
  parseForwardedSms,
} from '../../../src/domain/sms/forward-formats.js';

const AT = Date.UTC(2026, 7, 21, 6, 35, 10);
const text = 'You have received Tk 500.00';

test('each format reads sender and text from its own two fields', (t) => {
  const bodies = {
    'from-text': { from: 'bKash', text },
    'sender-message': { sender: 'bKash', message: text },
    'address-message': { address: 'bKash', message: text },
    'sender-body': { sender: 'bKash', body: text },
  };
  t.deepEqual([...FORWARD_FORMATS], Object.keys(bodies));
  for (const format of FORWARD_FORMATS) {
    const read = parseForwardedSms(format, bodies[format]);
    const message = { id: 'forwarded', sender: 'bKash', body: text, received_at: null, sim_slot: null };
    t.deepEqual(read, { kind: 'message', message }, format);
  }
  t.is(forwardFormat('from-text'), 'from-text');
  t.is(forwardFormat('toString'), null);
});

const spellings: [
  app: string,
  format: (typeof FORWARD_FORMATS)[number],
  body: object,
  slot: number | null,
][] = [
  [
    'Incoming SMS to URL forwarder',
    'from-text',
    { from: 'bKash', text, sentStamp: AT - 9_000, receivedStamp: AT, sim: 'sim2' },
    2,
  ],
  [
    'the same with its stamps in quotes',
    'from-text',
    { from: 'bKash', text, sentStamp: 'x', receivedStamp: String(AT), sim: 'undetected' },
    null,
  ],
  [
    'httpSMS',
    'from-text',
    {
      from: 'bKash',
      to: '+8801711000001',
      content: text,
      sim: 'SIM1',
      timestamp: '2026-08-21T06:35:10.000Z',
    },
    1,
  ],
  ['SMSSync', 'from-text', { from: 'bKash', message: text, sent_timestamp: String(AT), secret: 's' }, null],
  [
    'textbee',
    'sender-message',
    { sender: 'bKash', message: text, receivedAtInMillis: AT, fingerprint: 'f' },
    null,
  ],
  [
    'a script with seconds',
    'sender-body',
    { sender: 'bKash', body: text, timestamp: AT / 1000, sim_slot: 2 },
    2,
  ],
  [
    'local time without offset',
    'sender-body',
    { sender: 'bKash', body: text, received_at: '2026-08-21 12:35:10' },
    null,
  ],
];
for (const [app, format, body, slot] of spellings) {
  test(`the fields of ${app} are understood`, (t) => {
    const message = { id: 'forwarded', sender: 'bKash', body: text, received_at: AT, sim_slot: slot };
    t.deepEqual(parseForwardedSms(format, { ...body }), { kind: 'message', message });
  });
}

test('a number that may count from zero names no SIM, nor does a text that names no slot', (t) => {
  const none = [0, 1, '0', '1', 'sim0', 'sim9', 'SIM', 'esim1', 'sim1x', 'sim12', 'undetected', '', null, {}];
  for (const sim of [...none, ['sim1']]) {
    const read = parseForwardedSms('from-text', { from: 'bKash', text, sim });
    t.is(read.kind === 'message' ? read.message.sim_slot : 'none', null, String(sim));
  }
});

test('of several times the one at which the phone received it goes first, under whatever name', (t) => {
  const names = [
    ...['receivedStamp', 'receivedAtInMillis', 'received_at', 'receivedAt'],
    ...['timestamp', 'sentStamp', 'sent_timestamp'],
  ];
  for (const [index, name] of names.entries()) {
    const later = names.slice(index).map((other, at) => [other, AT + at]);
    const read = parseForwardedSms('from-text', { from: 'bKash', text, ...Object.fromEntries(later) });
    t.is(read.kind === 'message' ? read.message.received_at : read.kind, AT, name);
  }
});

test('spaces around a SIM, a slot and a time do not matter', (t) => {
  const read = (fields: object) => {
    const forwarded = parseForwardedSms('from-text', { from: 'bKash', text, ...fields });
    return forwarded.kind === 'message' ? forwarded.message : forwarded.kind;
  };
  t.like(read({ sim: ' Sim 2\n', timestamp: ` ${AT / 1_000}\n` }), { sim_slot: 2, received_at: AT });
  t.like(read({ sim: 'undetected', sim_slot: ' 1 ' }), { sim_slot: 1, received_at: null });
  t.is(read({ sim: ' Notification ' }), 'notification');
});

test('a missing sender or text is named, and the message is incomplete', (t) => {
  const missing = (body: object) => {
    const read = parseForwardedSms('sender-message', { ...body });
    return read.kind === 'incomplete' ? read.missing : read.kind;
  };
  t.deepEqual(missing({}), [['sender'], ['message']]);
  t.deepEqual(missing({ sender: 'bKash' }), [['message']]);
  t.deepEqual(missing({ sender: 'bKash', message: ' \n' }), [['message']]);
  t.deepEqual(missing({ sender: 5, message: text }), [['sender']]);
  const read = parseForwardedSms('from-text', { from: 'bKash' });
  t.deepEqual(read, { kind: 'incomplete', missing: [['text', 'content', 'message']] });
});

test('a notification is not an SMS: anyone who writes to the phone chooses its title', (t) => {
  const body = { from: 'bKash', text, sim: 'notification' };
  t.deepEqual(parseForwardedSms('from-text', body), { kind: 'notification' });
});

test('phone health is read where a template reports it, and otherwise left unchanged', (t) => {
  const nothing = { battery: undefined, charging: undefined, network: undefined, appVersion: undefined };
  t.deepEqual(forwardHealth({ from: 'bKash', text }), nothing);
  const odd = { battery: -1, power: 'unknown', network: 'other', version: '2.4.0' };
  t.deepEqual(forwardHealth(odd), { ...nothing, appVersion: '2.4.0' });
  t.deepEqual(forwardHealth({ battery: 81, power: 'usb', network: 'mobile', version: '2.4.0' }), {
    battery: 81,
    charging: true,
    network: 'mobile',
    appVersion: '2.4.0',
  });
  t.like(forwardHealth({ battery: '7', power: ' Unplugged ' }), { battery: 7, charging: false });
});

test('each power and each network that the app names is understood', (t) => {
  for (const power of ['ac', 'usb', 'wireless']) t.is(forwardHealth({ power }).charging, true, power);
  for (const network of ['wifi', 'mobile', 'ethernet', 'none'])
    t.is(forwardHealth({ network }).network, network);
  t.is(forwardHealth({ network: '' }).network, undefined);
});

test('a battery is 0 to 100 percent, and a version a short word: anything else was not said', (t) => {
  const battery = (value: unknown) => forwardHealth({ battery: value }).battery;
  t.deepEqual([0, 100, '0', '100', 49.6].map(battery), [0, 100, 0, 100, 50]);
  for (const value of [-1, 101, '101', '0081', '81%', 'x81', '', ' ', true, [81], null]) {
    t.is(battery(value), undefined, String(value));
  }
  const version = (value: unknown) => forwardHealth({ version: value }).appVersion;
  for (const value of ['2', '2.4.0-beta+7', 'x'.repeat(60)]) t.is(version(value), value);
  for (const value of [240, '', 'x'.repeat(61), '2.4 beta', '2.4\n', ['2.4']])
    t.is(version(value), undefined);
});

test('an unreadable time is passed on unchanged, and a missing one stays missing', (t) => {
  const timeOf = (fields: object) => {
    const read = parseForwardedSms('from-text', { from: 'bKash', text: 'hello', ...fields });
    return read.kind === 'message' ? read.message.received_at : read.kind;
  };
  t.is(timeOf({}), null);
  t.is(timeOf({ receivedStamp: '%receivedStamp%' }), '%receivedStamp%');
  t.is(timeOf({ receivedStamp: null }), '');
  t.is(timeOf({ receivedStamp: 0, sentStamp: 1_787_294_110_000 }), 1_787_294_110_000);
});

const incoming = (body: object, format: (typeof FORWARD_FORMATS)[number] = 'from-text') => {
  const read = parseForwardedSms(format, { ...body });
  return read.kind === 'message' ? read.message : read;
};

test('an httpSMS event is read as the SMS that it reports, and events of other kinds are not', (t) => {
  const data = { contact: 'bKash', owner: '+8801712345678', content: text, sim: 'SIM1' };
  const event = { specversion: '1.0', type: 'message.phone.received', data };
  const timed = { ...event, data: { ...data, timestamp: '2026-08-21T06:35:10.123Z' } };
  const message = { id: 'forwarded', sender: 'bKash', body: text, received_at: null, sim_slot: 1 };
  for (const format of FORWARD_FORMATS) t.deepEqual(incoming(event, format), message);
  t.like(incoming(timed), { received_at: AT + 123 });
  const sent = { ...event, type: 'message.phone.sent' };
  t.deepEqual(parseForwardedSms('from-text', sent), { kind: 'other_event', event: 'message.phone.sent' });
});

test('sender and text are found under the names of other apps, too, behind those of the format', (t) => {
  for (const body of [
    { sender: 'bKash', messageBody: text, simSlot: 'SIM_1' },
    { from: 'bKash', msg: text, sim: 'SIM 1' },
    { address: 'bKash', body: text, sim: 'sim1' },
    { from: 'bKash', text, message: 'another', sim_slot: 1 },
  ]) {
    t.like(incoming(body), { sender: 'bKash', body: text, sim_slot: 1 });
  }
  t.like(incoming({ from: 'NAGAD', sender: 'bKash', text: 'x', message: text }, 'sender-message'), {
    sender: 'bKash',
    body: text,
  });
  t.like(incoming({ from: 'bKash', text, simSlot: 1 }), { sim_slot: null });
});

test('the unchanged template of SmsForwarder is taken apart, and nothing that only looks like it', (t) => {
  const form = (parts: readonly string[]) => incoming({ from: 'bKash', text: parts.join('\n') });
  const tail = ['SIM1_Grameenphone', '2026-08-21 12:35:10', 'Redmi Note 8'];
  t.deepEqual(form(['bKash', text, 'second line', ...tail]), {
    id: 'forwarded',
    sender: 'bKash',
    body: `${text}\nsecond line`,
    received_at: AT,
    sim_slot: 1,
  });
  for (const parts of [
    ['NAGAD', text, ...tail],
    ['bKash', ...tail],
    ['bKash', text, 'SIM', ...tail.slice(1)],
    ['bKash', text, tail[0] ?? '', '21/08/2026', 'Redmi'],
    [text, ...tail],
  ]) {
    t.like(form(parts), { body: parts.join('\n') });
  }
});
