/** The workload of the simulator as a model test on PostgreSQL: random histories, and the same checker. */
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { updateBrand } from '../../src/actions/brands/change-brand.js';
import { openCore } from '../../src/actions/core/core.js';
import { openShop } from '../helpers/shop/shop.js';
import { openTestCore, testClock } from '../helpers/stores/engines.js';
import { amount } from '../helpers/tiers.js';
import { type Ledger, readLedger } from './check/ledger.js';
import { check } from './check/model.js';
import { finish, histories, type Model, type Real } from './commands.js';
import { Chance } from './machine/chance.js';
import { nothingObserved } from './world/observed.js';

const HISTORIES = amount(20, 200);
const COMMANDS = 60;

async function openTwo(t: ExecutionContext) {
  const clock = testClock();
  const first = await openTestCore(t, 'postgres', { clock });
  const { home, settings } = first;
  const env = { KASHBOX_DATABASE_URL: settings.databaseUrl };
  const second = await openCore({ folder: home.folder, env, clock });
  t.teardown(() => second.close());
  return { clock, cores: [first, second] } as const;
}

type Two = Awaited<ReturnType<typeof openTwo>>;

/** Runs one history of a shop of its own. @returns what is wrong, and how its payments ended. */
async function run({ clock, cores }: Two, commands: Iterable<fc.AsyncCommand<Model, Real>>, nth: number) {
  const [core] = cores;
  const shop = await openShop(core, `Shop ${nth}`, `017${String(nth).padStart(8, '0')}`);
  await updateBrand(core, {
    brand: shop.brand.brandId,
    webhookUrl: 'https://shop.example/notify',
    who: 'test',
  });
  const model: Model = { observed: nothingObserved(), orders: [], waiting: [], wanted: new Map() };
  const real: Real = { cores, clock, shop, chance: new Chance(`history ${nth}`) };
  await fc.asyncModelRun(() => ({ model, real }), commands);
  await finish(model, real);
  const all = await core.store.read((db) => readLedger((sql) => db.execute(sql, [])));
  const ledger = only(all, new Set(model.orders.map(({ session }) => session)));
  return { faults: check(model.observed, ledger), ledger };
}

/** What stands there of these payments. */
function only(ledger: Ledger, own: ReadonlySet<string>): Ledger {
  return {
    ...ledger,
    sessions: new Map([...ledger.sessions].filter(([id]) => own.has(id))),
    credits: ledger.credits.filter(({ session }) => own.has(session)),
    notifications: ledger.notifications.filter(({ session }) => own.has(session)),
  };
}

test(`random histories on two daemons hold what the simulator's checker asks for`, async (t) => {
  t.timeout(600_000);
  const two = await openTwo(t);
  const ends = { COMPLETED: 0, FAILED: 0, PENDING: 0, reviewed: 0 };
  let nth = 0;
  const property = fc.asyncProperty(histories(COMMANDS), async (commands) => {
    nth += 1;
    const { faults, ledger } = await run(two, commands, nth);
    for (const [id, { status }] of ledger.sessions) {
      ends[status as 'COMPLETED'] += 1;
      if (ledger.reviewed.has(id)) ends.reviewed += 1;
    }
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  const seed = Number(process.env.KASHBOX_TEST_SEED ?? 1);
  t.log(`seed ${seed}`);
  await fc.assert(property, { numRuns: HISTORIES, seed, endOnFailure: false });
  t.log(JSON.stringify(ends));
  const some = HISTORIES / 10;
  t.true(
    ends.COMPLETED > some && ends.FAILED > some && ends.reviewed > some,
    'all kinds of ends are reached',
  );
});

test('a store that forgets claims is found', async (t) => {
  t.timeout(300_000);
  const two = await openTwo(t);
  await two.cores[0].store.write(async (db) => {
    await db.execute(
      `CREATE FUNCTION forget() RETURNS trigger AS $$ BEGIN
        IF NEW.state = 'WAITING' THEN RETURN NULL; END IF;
        RETURN NEW;
      END $$ LANGUAGE plpgsql`,
      [],
    );
    await db.execute(
      'CREATE TRIGGER forget BEFORE INSERT ON claims FOR EACH ROW EXECUTE FUNCTION forget()',
      [],
    );
  });
  let nth = 0;
  const property = fc.asyncProperty(histories(COMMANDS), async (commands) => {
    nth += 1;
    const { faults } = await run(two, commands, nth);
    return faults.length === 0;
  });
  const { failed } = await fc.check(property, { numRuns: 200, seed: 1, endOnFailure: true });
  t.true(failed);
});
