/** Who is sent gzip. */
import test from 'ava';
import { takesGzip } from '../../../../daemon/http/input/accept-encoding.js';

test('gzip is sent to those who take it and to nobody else', (t) => {
  for (const yes of ['gzip', 'GZIP', 'br, gzip;q=0.1', 'x-gzip', '*', 'gzip;q=1.0,*;q=0', 'deflate,gzip']) {
    t.true(takesGzip(yes), yes);
  }
  for (const no of [
    undefined,
    '',
    'br',
    'identity',
    'gzip;q=0',
    '*;q=0',
    'gzip;q=0, *',
    'gzipped',
    'gzip;x=1',
  ]) {
    t.false(takesGzip(no), no ?? 'no header');
  }
});
