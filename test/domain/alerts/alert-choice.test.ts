/** What operators choose to be told of, by kinds and by groups. */
import test from 'ava';
import { ALERT_KINDS, type AlertKind, isChosen, readChoice } from '../../../src/domain/alerts/alert.js';

const chosenBy = (words: string) => ALERT_KINDS.filter((kind) => isChosen(words, kind));

test('by default everything is told but completed payments', (t) => {
  t.deepEqual(
    ALERT_KINDS.filter((kind) => !chosenBy('default').includes(kind)),
    ['payment.completed'],
  );
});

test('each kind is in one group, and all are in "all"', (t) => {
  const grouped = [...chosenBy('money'), ...chosenBy('devices'), ...chosenBy('system')];
  t.deepEqual(grouped.toSorted(), [...ALERT_KINDS].toSorted());
  t.deepEqual(chosenBy('all'), ALERT_KINDS);
});

test('groups and kinds add up, and a summary is chosen by nobody', (t) => {
  t.deepEqual(chosenBy('payment.completed sms.gap'), ['sms.gap', 'payment.completed']);
  for (const kind of ['summary.daily', 'summary.quiet'] as AlertKind[])
    t.false(isChosen('all default', kind));
});

test('words are read in any case and order, each once; the first unknown one is named', (t) => {
  t.deepEqual(readChoice(' Money, review.waiting,money '), { chosen: 'money review.waiting' });
  t.deepEqual(readChoice('money,payments'), { unknown: 'payments' });
  t.deepEqual(readChoice(' , '), { unknown: '' });
  t.deepEqual(readChoice('summary.daily'), { unknown: 'summary.daily' });
});
