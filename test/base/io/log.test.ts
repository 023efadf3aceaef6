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

test('what was thrown and is no error is named by its kind', (t) => {
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
