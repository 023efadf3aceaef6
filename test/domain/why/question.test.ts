/** What the words after `kashbox why` can mean. */
import test from 'ava';
import { parseQuestion } from '../../../src/domain/why/question.js';

const cases: [typed: string, paisa: number | null, phone: string | null, reference: string | null][] = [
  ['410', 41_000, null, '410'],
  ['410.00', 41_000, null, '410.00'],
  [' ৪১০.৫ ', 41_050, null, '410.5'],
  ['1,250', 125_000, null, '1,250'],
  ['Tk 1,250.50', 125_050, null, null],
  ['৳410', 41_000, null, null],
  ['BDT 410', 41_000, null, null],
  ['0', null, null, null],
  ['0.00', null, null, '0.00'],
  ['1234567', 123_456_700, null, '1234567'],
  ['12345678', null, null, '12345678'],
  ['01711000001', null, '01711000001', '01711000001'],
  ['+880 1711-000001', null, '01711000001', null],
  ['০১৭১১০০০০০১', null, '01711000001', '01711000001'],
  ['dkm4abc123', null, null, 'DKM4ABC123'],
  ['ab', null, null, null],
  ['two words', null, null, null],
];
for (const [typed, paisa, phone, reference] of cases) {
  test(`"${typed}"`, (t) => {
    t.like(parseQuestion(typed), { paisa, phone, reference });
  });
}
