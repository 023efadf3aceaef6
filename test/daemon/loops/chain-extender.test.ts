/** The daemon puts what was written into the audit chain, by itself and at its end. */
import test, { type ExecutionContext } from 'ava';
import { startChainExtender } from '../../../daemon/loops/chain-extender.js';
import { openJobRecords } from '../../../daemon/loops/job-records.js';
import type { Core } from '../../../src/actions/core/core.js';
import { openLog } from '../../../src/base/io/log.js';
import { chainHead } from '../../../src/store/tables/audit-chain.js';
import { startDaemon } from '../../helpers/programs/daemon.js';
import { withinTime } from '../../helpers/programs/processes.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines, openTestCore, temporaryFolder } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly head?: string;
}

function openExtender(t: ExecutionContext<unknown>, core: Core) {
  const lines: Line[] = [];
  const { log } = openLog('info', { write: (line) => lines.push(JSON.parse(line) as Line) });
  const records = openJobRecords(core, log);
  const extender = startChainExtender(core, log, records);
  t.teardown(async () => {
    await extender.stop();
    await records.close();
  });
  const recordOf = () => records.all().find(({ name }) => name === 'extend-chain');
  return { extender, lines, recordOf };
}

const heads = (lines: readonly Line[]) =>
  lines.filter(({ msg }) => msg === 'end of the audit chain').map(({ head }) => head);
const headOf = (core: Core) => core.store.read(chainHead);
const entries = (core: Core) =>
  core.store.read((db) => db.query.selectFrom('audit').select('id').execute()).then((rows) => rows.length);

for (const engine of engines) {
  test(`${engine}: new entries are added to the chain automatically, and once more at shutdown`, async (t) => {
    const core = await openTestCore(t, engine);
    await openShop(core, 'One');
    const { extender, lines, recordOf } = openExtender(t, core);
    const first = await entries(core);
    await until(async () => (await headOf(core)).number === first);
    t.is(recordOf()?.errors, 0);
    await openShop(core, 'Two', '01711000002');
    await extender.stop();
    const end = await headOf(core);
    t.is(end.number, await entries(core));
    t.true(end.number > first);
    t.deepEqual(heads(lines), [`${end.number}:${end.hash}`], 'for who keeps the log elsewhere');
  });
}

test('a truncated chain is logged once and counts as a failure of the job', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  await openShop(core);
  const { lines, recordOf } = openExtender(t, core);
  await until(async () => (await headOf(core)).number === (await entries(core)));
  await core.store.write((db) => db.execute('DELETE FROM audit_chain', []));
  await until(() => (recordOf()?.errors ?? 0) > 1);
  t.regex(recordOf()?.last?.error ?? '', /is missing or changed: someone has modified the store/);
  t.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [['error', 'the audit chain could not be extended']],
  );
});

test('a daemon that ends leaves nothing behind that is not in the chain', async (t) => {
  const home = await temporaryFolder(t);
  const core = await openTestCore(t, 'sqlite', { folder: home });
  await openShop(core);
  const daemon = await startDaemon(t, { home });
  await openShop(core, 'Two', '01711000002');
  daemon.process.kill('SIGTERM');
  t.deepEqual(await withinTime(daemon.process), { code: 0, signal: null });
  t.is((await headOf(core)).number, await entries(core));
});
