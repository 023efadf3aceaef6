/** Which doubts about an SMS a clean copy of it ends. */
import test from 'ava';
import { isSpoiltCopy } from '../../../src/domain/sms/sms-identity.js';

const CLEAN = 'You have received Tk 500.00. TrxID DKQ4Z7PW2M at 26/11/2026 19:30';

test('changes made to an SMS by an app or a clock raise no doubt about its money', (t) => {
  for (const reason of [
    ...['sender_weak', 'id_shape', 'text_repeated', 'characters_foreign', 'characters_hidden'],
    ...['date_after_delivery', 'date_long_before_delivery', 'time_impossible'],
  ]) {
    t.true(isSpoiltCopy({ body: 'whatever', reasons: [reason] }, CLEAN), reason);
    t.false(isSpoiltCopy({ body: 'whatever', reasons: [reason, 'transaction_reversed'] }, CLEAN), reason);
  }
});

test('one word may precede the text, and nothing may follow it', (t) => {
  const isSpoilt = (body: string) => isSpoiltCopy({ body, reasons: ['tail_unknown'] }, CLEAN);
  for (const mark of ['[SIM1] ', '(SIM2) ', 'SIM1: ', 'bKash:', 'bKash '])
    t.true(isSpoilt(mark + CLEAN), mark);
  for (const mark of ['Not real ', 'NOT REAL: ', '- ', 'abcdefghijklm: ', '']) {
    t.false(isSpoilt(mark + CLEAN), mark);
  }
  for (const words of ['.', ' [SIM1]', '. It was taken back']) t.false(isSpoilt(CLEAN + words), words);
});

test('any other reason stays a doubt', (t) => {
  for (const reason of [
    'other_route',
    'transaction_reversed',
    'two_messages',
    'format_unknown',
    'id_range',
  ]) {
    t.false(isSpoiltCopy({ body: CLEAN, reasons: [reason] }, CLEAN), reason);
  }
});
