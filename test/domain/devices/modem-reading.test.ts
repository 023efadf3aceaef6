/** What relays say of their GSM modems: what is told is kept, what cannot be is not. */
import test from 'ava';
import { parseModemReadings, parseStoredModems } from '../../../src/domain/devices/modem-reading.js';

test('valid modem values are kept, rounded, and anything else is unknown', (t) => {
  const good = { slot: 1, number: '01711000001', signal: 74.4, registration: 'home', state: 'ready' };
  const odd = { slot: 2, signal: 140, registration: 'lost', state: 7, temperature: 41.6 };
  t.deepEqual(parseModemReadings([good, odd]), [
    { slot: 1, signal: 74, registration: 'home', sim: 'ready', temperature: null },
    { slot: 2, signal: null, registration: null, sim: null, temperature: 42 },
  ]);
});

test('ignores SIMs of a phone for which no modem reports anything', (t) => {
  t.deepEqual(parseModemReadings([{ slot: 1, number: '01711000001' }]), []);
  t.deepEqual(parseModemReadings([{ slot: 0, signal: 5 }, null, 'x']), []);
});

test('anything but a list is undefined', (t) => {
  for (const value of [undefined, null, 'x', {}]) t.is(parseModemReadings(value), undefined);
});

test('reads back stored readings', (t) => {
  const readings = parseModemReadings([{ slot: 1, signal: 0 }]);
  t.deepEqual(parseStoredModems(JSON.stringify(readings)), readings);
  t.deepEqual(parseStoredModems(null), []);
});
