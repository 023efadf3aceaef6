/** What the log says of an outage of the store. */
import test from 'ava';
import { watchStore } from '../../../daemon/loops/store-watch.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { openLog } from '../../../src/base/io/log.js';
import { openTestCore } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';

const SECOND = 1_000;

test('logs each cause of an outage once, however they alternate, and measures it from its start', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const { log, close } = openLog('info', { write: (line) => lines.push(JSON.parse(line)) });
  t.teardown(close);
  const lines: { msg: string; seconds?: number; err?: { code: string } }[] = [];
  await watchStore(core, log);
  const { writing } = core.store;
  const start = performance.now();
  for (const _ of [1, 2, 3]) {
    writing.failed(new KashboxError('store_unreachable'));
    writing.failed(new KashboxError('store_read_only'));
  }
  await new Promise((resolve) => setTimeout(resolve, SECOND));
  writing.failed(new KashboxError('store_unreachable'));
  writing.worked();
  t.deepEqual(
    lines.map(({ msg, err }) => err?.code ?? msg),
    ['store_unreachable', 'store_read_only', 'the store is writable again'],
  );
  const lasted = (performance.now() - start) / SECOND;
  t.true((lines[2]?.seconds ?? 0) >= 1 && (lines[2]?.seconds ?? 0) <= Math.ceil(lasted));
  writing.failed(new KashboxError('store_read_only'));
  t.is(lines.length, 4, 'the next outage is told again');
});

test('repeats once a minute, with what to do, that the store is held', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const lines: { msg: string; next?: string; err?: { code: string } }[] = [];
  const { log, close } = openLog('info', { write: (line) => lines.push(JSON.parse(line)) });
  t.teardown(close);
  let now = 0;
  let looks = 0;
  const look = () => {
    looks += 1;
  };
  const store = { ...core.store, look };
  await watchStore({ ...core, store, timers: { ...core.timers, steadyMs: () => now } }, log);
  core.store.writing.hold(new KashboxError('store_busy', { hint: 'End it.' }));
  now = 59_999;
  await until(() => looks > 1);
  t.is(lines.length, 1);
  now = 60_000;
  await until(() => lines.length > 1);
  core.store.writing.release();
  now = 180_000;
  const before = looks;
  await until(() => looks > before + 1);
  const held = 'the store is not writable: payments are refused until it is';
  t.deepEqual(
    lines.map(({ msg, next }) => [msg, next]),
    [
      [held, 'End it.'],
      [held, 'End it.'],
      ['the store is writable again', undefined],
    ],
  );
});
