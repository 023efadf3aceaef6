/** What `webhooks listen` says of what came, to people. */
import test from 'ava';
import {
  counted,
  formatTally,
  NOTHING,
  type ReceivedNotification,
  receivedLines,
} from '../../../src/cli/webhooks/webhook-receiver.js';

const RECEIVED: ReceivedNotification = {
  at: Date.UTC(2026, 7, 21, 6, 35),
  id: 'ntf_1',
  times: 1,
  path: '/',
  contentType: 'application/json',
  content: '{"event":"payment.completed","amount":500,"cus_name":"আলো","meta_data":{"order":7}}',
  signature: 'valid',
  standardSignature: 'valid',
  answered: 200,
};

test('a notification is printed field by field, as JSON or as a form', (t) => {
  t.deepEqual(receivedLines(RECEIVED), [
    '2026-08-21 12:35:00  payment.completed',
    '  webhook-id  ntf_1',
    '  signature   valid',
    '  answered    200',
    '  event       payment.completed',
    '  amount      500',
    '  cus_name    আলো',
    '  meta_data   {"order":7}',
    '',
  ]);
  const form = {
    ...RECEIVED,
    contentType: 'application/x-www-form-urlencoded',
    content: 'event=ping&a=%20b',
  };
  t.deepEqual(receivedLines(form).slice(-3), ['  event       ping', '  a            b', '']);
  for (const content of ['no json', '[1]', 'null']) {
    const lines = receivedLines({ ...RECEIVED, content });
    t.regex(lines[0] ?? '', /something else$/);
    t.is(lines.at(-2), `  body        ${content}`);
  }
});

test('repeats are counted, and an invalid signature is highlighted', (t) => {
  const of = (change: Partial<ReceivedNotification>) => receivedLines({ ...RECEIVED, ...change });
  for (const [times, word] of [
    [2, '2nd'],
    [3, '3rd'],
    [11, '11th'],
    [21, '21st'],
    [113, '113th'],
  ] as const) {
    t.regex(of({ times })[0] ?? '', new RegExp(`, for the ${word} time: `));
  }
  t.regex(of({ signature: 'wrong', standardSignature: 'wrong' })[2] ?? '', /signature {3}WRONG: /);
  t.regex(of({ standardSignature: 'no_header' })[2] ?? '', /valid; of Standard Webhooks: MISSING$/);
});

test('content of strangers cannot move the cursor', (t) => {
  const content = '{"event":"\\u001b[2J","a\\u001b[1m":"\\u001b[31m"}';
  const text = receivedLines({ ...RECEIVED, id: '\u001b[1m', content }).join('\n');
  t.false(text.includes('\u001b'));
  t.false(
    receivedLines({ ...RECEIVED, content: '\u001b[2J' })
      .join('')
      .includes('\u001b'),
  );
});

test('the summary counts what came, what came again and what was wrong', (t) => {
  t.is(formatTally(NOTHING), '0 received.');
  const tally = [
    RECEIVED,
    { ...RECEIVED, times: 2 },
    { ...RECEIVED, signature: 'wrong' as const },
    { ...RECEIVED, standardSignature: 'malformed' as const },
    { ...RECEIVED, signature: 'unchecked' as const, standardSignature: 'unchecked' as const },
  ].reduce(counted, NOTHING);
  t.is(formatTally(tally), '5 received, 1 of them again, 2 with a wrong signature.');
  t.is(formatTally({ ...NOTHING, refused: 1 }), '0 received, 1 other request refused.');
});
