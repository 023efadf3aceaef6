/** The log shows what an operator needs of an error, and nothing that hangs on it. */
import test from 'ava';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { openLog } from '../../../src/base/io/log.js';

function logged(level: string, write: (log: ReturnType<typeof openLog>['log']) => void): string[] {
  const lines: string[] = [];
  write(openLog(level, { write: (line) => lines.push(line) }).log);
  return lines;
}

test('an error is logged with its causes and without what clients and drivers hang on it', (t) => {
  const inner = Object.assign(new Error('no connection'), {
    code: 'ECONNREFUSED',
    config: { headers: { authorization: 'CANARY' } },
    parameters: ['CANARY'],
  });
  const error = new KashboxError('store_unreachable', { cause: inner });
  const [line = ''] = logged('info', (log) => log.error({ err: error }, 'failed'));
  t.false(line.includes('CANARY'));
  const { err, level, msg } = JSON.parse(line);
  t.is(level, 'error');
  t.is(msg, 'failed');
  t.like(err, { type: 'KashboxError', code: 'store_unreachable', message: 'The store cannot be reached' });
  t.like(err.cause, { code: 'ECONNREFUSED', message: 'no connection' });
});

test('a thrown value that is not an error is logged by its type', (t) => {
  const [line = ''] = logged('info', (log) => log.error({ err: { key: 'CANARY' } }, 'failed'));
  t.deepEqual(JSON.parse(line).err, { message: 'object' });
});

test('an error that is its own cause is logged and ends', (t) => {
  const error = new Error('round');
  error.cause = error;
  t.is(logged('info', (log) => log.error({ err: error })).length, 1);
});

test('lines below the level are not written', (t) => {
  t.is(logged('warn', (log) => log.info('quiet')).length, 0);
  t.is(logged('silent', (log) => log.fatal('quiet')).length, 0);
});

test('the text format has Bangladesh time, level, message and fields, and the stack of an error', (t) => {
  const lines: string[] = [];
  const { log } = openLog('info', { write: (line) => lines.push(line) }, 'text');
  log.warn({ https: 'https://127.0.0.1:8443', caller: null, ms: 1.5, list: ['a'] }, 'listening');
  log.error({ err: new Error('no disk', { cause: new Error('gone') }) }, 'failed');
  log.info('shop\u001b[2J\nERROR forged');
  log.info({ only: 'fields' });
  const [first = '', second = '', third = '', fourth = ''] = lines;
  t.regex(
    first,
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d WARN {2}listening {2}https=https:\/\/127.0.0.1:8443 {2}ms=1.5 {2}list=\["a"\]\n$/,
  );
  const at = new Date(`${first.slice(0, 19).replace(' ', 'T')}+06:00`).getTime();
  t.true(Math.abs(Date.now() - at) < 60_000, 'time of Bangladesh');
  t.regex(second, /ERROR failed\n {4}Error: no disk\n {8}at [\s\S]*\n {4}Error: gone\n {8}at /);
  t.regex(third, /INFO {2}shop\ufffd\[2J\ufffdERROR forged\n$/);
  t.regex(fourth, /INFO {2}only=fields\n$/);
});
