/** What a summary of a day, and of quiet hours, says. */
import test from 'ava';
import { type AlertDetails, alertText } from '../../../src/domain/alerts/alert.js';

const quiet = (detail: AlertDetails['summary.quiet']) => alertText({ kind: 'summary.quiet', detail }, null);
const daily = (detail: AlertDetails['summary.daily']) => alertText({ kind: 'summary.daily', detail }, null);

test('quiet hours are told with how many of each kind, the sum of payments, and the newest sentences', (t) => {
  const counts = { 'payment.completed': 2, 'device.recovered': 1 };
  const two = quiet({ counts, paid: '1250.00', messages: ['Second.', 'First.'] });
  t.is(
    two,
    [
      'Held back in your quiet hours: 3 alerts.',
      '- payment.completed: 2, 1250.00 BDT',
      '- device.recovered: 1',
      'The newest 2:',
      '- Second.',
      '- First.',
    ].join('\n'),
  );
});

test('where all sentences are there they are told in full, and one alert is one', (t) => {
  const one = quiet({ counts: { 'device.recovered': 1 }, paid: '0.00', messages: ['It is back.'] });
  t.is(one, 'Held back in your quiet hours: 1 alert.\n- device.recovered: 1\nIn full:\n- It is back.');
});

const day = {
  date: '2026-08-21',
  whole: true,
  completed: 1,
  paid: '500.00',
  channels: [{ channel: 'mfs_a', completed: 1, paid: '500.00' }],
  reviews_waiting: 2,
  webhooks_dead: 3,
  phones_offline: ['counter-1', 'counter-2'],
  unclaimed: 4,
  unclaimed_amount: '70.00',
};

test('a day is told with its channels and what waits', (t) => {
  t.is(
    daily(day),
    [
      '2026-08-21: 1 payment completed, 500.00 BDT.',
      '- mfs_a: 1, 500.00 BDT',
      'Verifications waiting: 2',
      'Money that nobody claimed: 4, 70.00 BDT',
      'Notifications given up: 3',
      'Phones offline: counter-1, counter-2',
    ].join('\n'),
  );
});

test('a day that is not over says so, and no phone offline is none', (t) => {
  const lines = daily({ ...day, whole: false, completed: 2, channels: [], phones_offline: [] }).split('\n');
  t.is(lines[0], '2026-08-21 so far: 2 payments completed, 500.00 BDT.');
  t.is(lines[1], 'Verifications waiting: 2');
  t.is(lines.at(-1), 'Phones offline: none');
});
