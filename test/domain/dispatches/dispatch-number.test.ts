import test from 'ava';
import { dispatchNumber } from '../../../src/domain/dispatches/dispatch-number.js';

const READ: readonly (readonly [text: string, e164: string])[] = [
  ['01712345678', '+8801712345678'],
  ['+8801712345678', '+8801712345678'],
  ['8801712345678', '+8801712345678'],
  ['008801712345678', '+8801712345678'],
  ['1712345678', '+8801712345678'],
  [' 01712-345 678 ', '+8801712345678'],
  ['+88 (017) 12-345678', '+8801712345678'],
  ['০১৭১২৩৪৫৬৭৮', '+8801712345678'],
  ['+৮৮০১৩১২৩৪৫৬৭৮', '+8801312345678'],
  ['+919876543210', '+919876543210'],
  ['+447400123456', '+447400123456'],
  ['+966512345678', '+966512345678'],
  ['+60123456789', '+60123456789'],
  ['+12015550123', '+12015550123'],
];

test('numbers of Bangladesh and elsewhere get one form, however they are typed', (t) => {
  for (const [text, e164] of READ) t.is(dispatchNumber(text), e164, text);
});

const REFUSED = [
  '',
  'bKash',
  '16247',
  '999',
  '*121#',
  '0171234567',
  '017123456789',
  '01212345678',
  '0212345678',
  '+88017123456789',
  'call 01712345678',
  '01712345678 ext 5',
  '01712345678;ext=5',
  '01712345678,01812345678',
  '+1',
  '-n 01712345678',
  `+880${'1'.repeat(60)}`,
];

test('what no SMS of a Bangladeshi phone reaches is refused', (t) => {
  for (const text of REFUSED) t.is(dispatchNumber(text), null, text);
});
