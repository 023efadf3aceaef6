/** Questions and the video of a brand as operators write them: what is taken, and what is refused. */
import test from 'ava';
import { parseQuestion, parseVideo } from '../../../src/domain/brands/questions.js';

function questionFault(typed: string): string {
  const read = parseQuestion(typed);
  return read.ok ? 'taken' : read.fault;
}

function videoOf(typed: string): string | null {
  const read = parseVideo(typed);
  return read.ok ? read.url : null;
}

test('the first = ends the question, and spaces around both texts are not kept', (t) => {
  t.deepEqual(parseQuestion(' Is 1 + 1 right? =  Yes: 1 + 1 = 2 '), {
    ok: true,
    entry: { question: 'Is 1 + 1 right?', answer: 'Yes: 1 + 1 = 2' },
  });
  t.is(questionFault('প্রশ্ন?=আর‍্যা'), 'taken', 'a joiner belongs to the spelling');
});

test('a question without a part, too long or with invisible characters is refused', (t) => {
  for (const typed of ['', '=', 'Why?', 'Why?=', 'Why?= ', '=Because']) {
    t.is(questionFault(typed), 'needs both a question and an answer', typed);
  }
  t.is(questionFault(`${'ক'.repeat(120)}=${'খ'.repeat(600)}`), 'taken');
  t.is(questionFault(`${'ক'.repeat(121)}=x`), 'may have at most 120 characters before "=", this has 121');
  t.is(questionFault(`x=${'ক'.repeat(601)}`), 'may have at most 600 characters after "=", this has 601');
  for (const typed of ['a\nb=c', 'a=b\u202ec', 'a=b\u0007']) {
    t.is(questionFault(typed), 'has a line break or an invisible character', JSON.stringify(typed));
  }
});

test('a video is an https address, in its ASCII form', (t) => {
  t.is(videoOf('https://video.example/@alo/1?t=2#x'), 'https://video.example/@alo/1?t=2#x');
  t.is(videoOf('HTTPS://Video.Example'), 'https://video.example/');
  t.is(videoOf(`https://video.example/${'x'.repeat(278)}`)?.length, 300);
});

test('rejects a video that is not https, names a user or is too long', (t) => {
  for (const typed of [
    'http://video.example/1',
    'video.example/1',
    'javascript:alert(1)',
    'data:text/html,x',
    'https:video.example',
    'https:\\\\video.example',
    'https:///video.example',
    'https://user@video.example/',
    'https://user:pw@video.example/',
    'https://@video.example/',
    'https://video.example/a b',
    'https://video.example/\u202e1',
    'https://',
    'https://[bad/',
    `https://video.example/${'x'.repeat(279)}`,
  ]) {
    t.is(videoOf(typed), null, typed);
  }
});
