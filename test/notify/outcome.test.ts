/** What a broken answer is called, what is kept of an answer, and how long it asks to be left alone. */
import test from 'ava';
import fc from 'fast-check';
import { parseRetryAfter } from '../../src/base/io/retry-after.js';
import { answerText, classifyOutcome } from '../../src/notify/outcome.js';

test('distinguishes an answer that is not HTTP from one that breaks the protocol after its 200', (t) => {
  const failure = Object.assign(new Error(), { code: 'HPE_INVALID_CHUNK_SIZE' });
  const told = (status: number | null) =>
    classifyOutcome({ status, failure, isLate: false, deadlineMs: 5_000 });
  t.deepEqual(told(200), { outcome: 'refused', detail: 'answered 200, then broke the HTTP protocol' });
  t.deepEqual(told(null), { outcome: 'refused', detail: 'answered with something that is not HTTP' });
});

test('an answer is kept as one line that a terminal and a database can hold', (t) => {
  const kept = (text: string | Buffer) => answerText(Buffer.from(text));
  t.is(kept('OK'), 'OK');
  t.is(kept(''), null);
  t.is(kept(' \r\n\u0000 '), null);
  t.is(kept('<p>\r\n\tঠিক আছে</p>\n'), '<p> ঠিক আছে</p>');
  t.is(kept('\u001b]0;title\u0007a\u0000b\u009bc\u202ed\u061ce'), ']0;titleabcde');
  t.is(kept(Buffer.from([0x61, 0xff, 0x62])), 'a\ufffdb');
});

test('at most 1 KiB of it is kept, and no character is cut in two', (t) => {
  t.is(answerText(Buffer.from('x'.repeat(4_096)))?.length, 1_024);
  t.is(answerText(Buffer.from('💸'.repeat(1_000))), '💸'.repeat(256));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4_096 }), (bytes) => {
      const text = answerText(Buffer.from(bytes)) ?? '';
      return Buffer.byteLength(text) <= 1_024 && text.isWellFormed() && !/\p{Cc}/u.test(text);
    }),
  );
});

test('Retry-After is seconds or a date; anything else says nothing', (t) => {
  const now = Date.UTC(2026, 10, 21, 8, 49, 37);
  const after = (text?: string) => parseRetryAfter(text, now);
  t.is(after('120'), 120);
  t.is(after(' 0 '), 0);
  t.is(after('Sat, 21 Nov 2026 08:50:37 GMT'), 60);
  t.is(after('Sat, 21 Nov 2026 08:00:00 GMT'), 0);
  for (const text of [
    undefined,
    '',
    '-1',
    '1.5',
    '1e3',
    'soon',
    '9'.repeat(10),
    '21 Nov 2026',
    'Sat, 99 Nov 2026 08:00:00 GMT',
  ]) {
    t.is(after(text), null, text);
  }
});
