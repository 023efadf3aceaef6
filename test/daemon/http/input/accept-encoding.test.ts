/** Who is sent compressed answers, and in which form. */
import test from 'ava';
import { codingFor } from '../../../../daemon/http/compressed-content.js';

test('a client gets the best form that it takes', (t) => {
  for (const br of ['br', 'gzip, deflate, br, zstd', 'gzip, br;q=0.1', 'BR']) t.is(codingFor(br), 'br', br);
  for (const gzip of [
    'gzip',
    'GZIP',
    'br;q=0, gzip;q=0.1',
    'x-gzip',
    '*',
    'gzip;q=1.0,*;q=0',
    'deflate,gzip',
  ]) {
    t.is(codingFor(gzip), 'gzip', gzip);
  }
  for (const no of [
    undefined,
    '',
    'identity',
    'gzip;q=0',
    '*;q=0',
    'gzip;q=0, *',
    'gzipped',
    'gzip;x=1',
    'bro',
  ]) {
    t.is(codingFor(no), null, no ?? 'no header');
  }
});
