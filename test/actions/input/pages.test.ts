/** Lists that never end are whole however long they are, and each page of them is found by an index. */
import test from 'ava';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { listGaps } from '../../../src/actions/balance-gaps/list-gaps.js';
import { claimBankTransfer } from '../../../src/actions/claims/claim-bank-transfer.js';
import type { Core } from '../../../src/actions/core/core.js';
import { listDispatches } from '../../../src/actions/dispatches/dispatches.js';
import { listNotifications } from '../../../src/actions/notifications/notifications.js';
import { listPushes } from '../../../src/actions/pushes/list-pushes.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { listPayments, paymentPages } from '../../../src/actions/sessions/list-payments.js';
import { listSms } from '../../../src/actions/sms/list-sms.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBank } from '../../helpers/shop/bank.js';
import { hostedScene } from '../../helpers/shop/hosted.js';
import { putNotification } from '../../helpers/shop/outbox.js';
import { putRelayRows } from '../../helpers/shop/relay-rows.js';
import { engines } from '../../helpers/stores/engines.js';
import { type ListedTable, multiply } from '../../helpers/stores/many-rows.js';
import { findByIndex, recorded } from '../../helpers/stores/plans.js';

/** Two whole pages and a bit. */
const MANY = 2_003;

type List = (core: Core, limit: number, untilMs?: number) => Promise<readonly { readonly id: string }[]>;

const LISTS: Readonly<Record<ListedTable, List>> = {
  sessions: (core, limit, untilMs) => listPayments(core, { limit, untilMs }),
  sms: (core, limit, untilMs) => listSms(core, { limit, untilMs }),
  reviews: (core, limit) => listReviews(core, { state: null, limit }),
  notifications: (core, limit, untilMs) => listNotifications(core, { failed: false, limit, untilMs }),
  pushes: (core, limit, untilMs) => listPushes(core, { limit, untilMs }),
  dispatches: (core, limit, untilMs) => listDispatches(core, { limit, untilMs }),
  alerts: (core, limit, untilMs) => listAlerts(core, { open: false, limit, untilMs }),
  sms_gaps: (core, limit, untilMs) => listGaps(core, { limit, untilMs }),
};

const TABLES = Object.keys(LISTS) as ListedTable[];

/** A shop with a row of everything that is listed. */
async function openScene(t: Parameters<typeof hostedScene>[0], engine: Engine) {
  const stage = await hostedScene(t, engine);
  const { core, shop, money, clock, order } = stage;
  await shop.receive(money('500.00').text);
  await claimBankTransfer(core, { sessionId: await order(100), text: 'FT1', slip: null });
  await putNotification(core, { id: 'ntf_1', brand_id: shop.brand.brandId });
  await putRelayRows(core, shop, clock.now());
  const bank = await openBank(core, shop);
  await bank.push();
  return stage;
}

for (const engine of engines) {
  test(`${engine}: every list pages through all rows without missing or repeating one`, async (t) => {
    const { core } = await openScene(t, engine);
    for (const table of TABLES) {
      await multiply(core, table, MANY);
      const stored = await core.store.read((db) => db.query.selectFrom(table).select('id').execute());
      t.is(stored.length, MANY, table);
      const listed = (await LISTS[table](core, Number.POSITIVE_INFINITY)).map(({ id }) => id);
      t.is(listed.length, MANY, table);
      t.deepEqual(listed.toSorted(), stored.map(({ id }) => id).toSorted(), table);
      const some = (await LISTS[table](core, 1_500)).map(({ id }) => id);
      t.deepEqual(some, listed.slice(0, 1_500), table);
    }
  });

  test(`${engine}: a list up to a moment leaves out what is of that moment, and nothing older`, async (t) => {
    const { core, clock } = await openScene(t, engine);
    const now = clock.now();
    // The oldest come first of verifications, so that list has no end to choose.
    for (const table of TABLES.filter((one) => one !== 'reviews')) {
      const all = await LISTS[table](core, 10);
      t.true(all.length > 0, table);
      t.deepEqual(await LISTS[table](core, 10, now), [], table);
      t.deepEqual(await LISTS[table](core, 10, now + 1), all, table);
    }
  });

  test(`${engine}: the pages behind the first are found by an index, and none is read that nobody wants`, async (t) => {
    const { core } = await openScene(t, engine);
    await multiply(core, 'sessions', MANY);
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    let pages = 0;
    for await (const page of paymentPages(watched, { limit: Number.POSITIVE_INFINITY })) {
      t.true(page.length <= 1_000);
      pages += 1;
      if (pages === 2) break;
    }
    t.is(statements.size, 2);
    for (const table of TABLES.filter((one) => one !== 'sessions')) {
      await multiply(core, table, 1_001);
      await LISTS[table](watched, 1_001);
    }
    const behind = [...statements].filter(([text]) => /\) [<>] \(/.test(text));
    t.is(behind.length, TABLES.length);
    await findByIndex(t, core, new Map(behind));
  });
}
