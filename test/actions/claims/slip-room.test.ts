/** Slips come from strangers: how much of them is kept a day, what happens beyond that, and when they go. */
import test, { type ExecutionContext } from 'ava';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { claimBankTransfer } from '../../../src/actions/claims/claim-bank-transfer.js';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { readSlip, showReview } from '../../../src/actions/reviews/list-reviews.js';
import { readCheckout } from '../../../src/actions/sessions/read-checkout.js';
import { prune } from '../../../src/actions/upkeep/prune.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { addBank, hostedOrder, hostedScene, OPERATOR, pngOf } from '../../helpers/shop/hosted.js';
import { engines, enginesOfTier } from '../../helpers/stores/engines.js';

const KIB = 1024;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A shop that has room for one MiB of slips a day. */
async function smallRoom(t: ExecutionContext, engine: Engine) {
  const stage = await hostedScene(t, engine);
  const core: Core = { ...stage.core, settings: { ...stage.core.settings, slipMibADay: 1 } };
  const give = async (text: string, kib: number, session?: string) => {
    const sessionId = session ?? (await stage.order(50_000));
    const claimed = await claimBankTransfer(core, { sessionId, text, slip: pngOf(kib * KIB) });
    return claimed.outcome === 'under_review' ? claimed.slip : claimed.outcome;
  };
  const named = async (reference: string) => {
    const found = (await stage.open()).find((review) => review.reference === reference);
    if (found === undefined) throw new Error(`no review of ${reference}`);
    return found;
  };
  const slipOf = async (reference: string) =>
    readSlip(core, (await named(reference)).id).then(
      ({ bytes }) => bytes.length,
      (error: Error) => error.message,
    );
  return { ...stage, core, give, named, slipOf };
}

for (const engine of engines) {
  test(`${engine}: one alert a day reports that a brand has no space for slips`, async (t) => {
    const { core, give, clock } = await smallRoom(t, engine);
    const alerts = async () =>
      (await listAlerts(core, { open: false, limit: 20 })).filter(({ event }) => event !== 'review.waiting');
    for (const text of ['FT1', 'FT2', 'FT3', 'FT4']) await give(text, 700);
    const [alert, ...others] = await alerts();
    t.deepEqual(others, []);
    t.like(alert, { event: 'slips.full', state: 'over', detail: { brand: 'Alo Store', mib: 1 } });
    t.regex(
      alert?.message ?? '',
      /^Slips of "Alo Store" have reached the limit of 1 MiB per day on 2026-08-21\./,
    );
    clock.advance(DAY);
    t.is(await give('FT5', 700), 'kept');
    t.is((await alerts()).length, 1);
    t.is(await give('FT6', 700), 'room_ended');
    t.is((await alerts()).length, 2);
  });

  test(`${engine}: claims at the same moment in two processes keep no more than there is room for`, async (t) => {
    const { core, order } = await smallRoom(t, engine);
    const { databaseUrl } = core.settings;
    const env = databaseUrl === '' ? {} : { KASHBOX_DATABASE_URL: databaseUrl };
    const other = await openCore({ folder: core.home.folder, env, clock: core.clock });
    t.teardown(() => other.close());
    const cores = [core, { ...other, settings: core.settings }];
    const sessions = await Promise.all(Array.from({ length: 12 }, () => order(50_000)));
    const fates = await Promise.all(
      sessions.map(async (sessionId, at) => {
        const input = { sessionId, text: `FT${at}`, slip: pngOf(250 * KIB) };
        const claimed = await claimBankTransfer(cores[at % 2] ?? core, input);
        return claimed.outcome === 'under_review' ? claimed.slip : claimed.outcome;
      }),
    );
    t.deepEqual(fates.sort(), [
      ...Array.from({ length: 4 }, () => 'kept'),
      ...Array.from({ length: 7 }, () => 'no_room'),
      'room_ended',
    ]);
    const kept = await core.store.read((db) => db.query.selectFrom('slips').select('bytes').execute());
    t.is(kept.length, 4);
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: beyond the day's room a claim is taken without its slip, and nothing else is lost`, async (t) => {
    const { core, give, named, slipOf, order, approve } = await smallRoom(t, engine);
    t.is(await give('FIRST', 700), 'kept');
    const session = await order(50_000);
    t.is(await give('SECOND', 700, session), 'room_ended');
    t.is(await give('THIRD', 700), 'no_room');
    t.is(await give('SMALL', 300), 'kept', 'what still fits');
    t.like(await named('SECOND'), { state: 'OPEN', slip: 'no_room', slip_type: null, slip_bytes: null });
    t.like(await named('SMALL'), { slip: 'kept', slip_bytes: 300 * KIB });
    t.regex(
      String(await slipOf('SECOND')),
      /was not saved: the storage limit for slips of that day was reached/,
    );
    t.like(await readCheckout(core, session), { state: 'review', lacksSlip: true });
    await approve((await named('SECOND')).id);
    t.like(await readCheckout(core, session), { state: 'completed', lacksSlip: false });
  });

  test(`${engine}: the next day has room again, also for a slip that was not kept, and a day does not come back`, async (t) => {
    const { core, give, slipOf, order, clock } = await smallRoom(t, engine);
    await give('FIRST', 1_000);
    const session = await order(50_000);
    t.is(await give('AGAIN', 700, session), 'room_ended');
    t.is(await give('AGAIN', 700, session), 'no_room');
    clock.advance(DAY);
    t.is(await give('AGAIN', 700, session), 'kept');
    t.is(await slipOf('AGAIN'), 700 * KIB);
    t.is(await give('AGAIN', 10, session), null, 'it has one, and takes no room for another');
    t.like(await readCheckout(core, session), { state: 'review', lacksSlip: false });
    clock.advance(-DAY);
    t.is(await give('YESTERDAY', 700), 'no_room', 'a clock that is behind opens no new day');
  });

  test(`${engine}: a brand's room is its own`, async (t) => {
    const { core, give } = await smallRoom(t, engine);
    await give('FIRST', 1_000);
    await createMerchant(core, { name: 'Bela', allowIps: [], who: OPERATOR });
    await addBank(core, 'Bela');
    const input = { sessionId: await hostedOrder(core, 'Bela', 100), text: 'FT1', slip: pngOf(1_000 * KIB) };
    t.like(await claimBankTransfer(core, input), { slip: 'kept' });
  });

  test(`${engine}: slips of decided claims go after the time that is set, those of open ones stay`, async (t) => {
    const { core, give, named, slipOf, approve, reject, clock } = await smallRoom(t, engine);
    for (const text of ['OPEN', 'APPROVED', 'REJECTED']) await give(text, 10);
    const [approved, rejected] = [(await named('APPROVED')).id, (await named('REJECTED')).id];
    await approve(approved);
    await reject(rejected);
    clock.advance(180 * DAY);
    t.is(await prune(core), 1, "only what strangers used of the brand's budget that day");
    for (const id of [approved, rejected]) t.like(await showReview(core, id), { slip: 'kept' });
    clock.advance(1);
    t.is(await prune(core), 5, 'two slips, and three alerts that are over');
    t.is(await prune(core), 0);
    t.is(await slipOf('OPEN'), 10 * KIB);
    for (const id of [approved, rejected]) {
      t.like(await showReview(core, id), { slip: 'forgotten', slip_type: null });
      await t.throwsAsync(readSlip(core, id), { message: /was deleted some time after the decision/ });
    }
  });
}
