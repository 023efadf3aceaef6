/** What the log says of an outage of the store. */
import test from 'ava';
import { watchStore } from '../../../daemon/loops/store-watch.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { openLog } from '../../../src/base/io/log.js';
import { openTestCore } from '../../helpers/stores/engines.js';

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
