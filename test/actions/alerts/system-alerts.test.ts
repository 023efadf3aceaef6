/** Alerts of what keeps the installation from its work: shops, sources, keys that are guessed, backups. */
import { rmSync } from 'node:fs';
import test from 'ava';
import { raiseKeyGuessingAlert } from '../../../src/actions/access/authenticate-brand.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { nightlyBackup } from '../../../src/actions/backup/nightly-backup.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import type { Core } from '../../../src/actions/core/core.js';
import { recordSourceHealth } from '../../../src/actions/core/sources.js';
import {
  recordAttempt,
  type TakenNotification,
  takeNotifications,
} from '../../../src/actions/notifications/deliver-notification.js';
import { addNodes, removeNode } from '../../../src/actions/usdt/nodes.js';
import { watchSources } from '../../../src/actions/usdt/watch-sources.js';
import type { SourceTally } from '../../../src/channels/sources.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { engines, openTestCore, temporaryFolder, testClock } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const who = 'test';
const told = async (core: Core) =>
  (await listAlerts(core, { open: false, limit: 20 })).map(({ event, state }) => `${event} ${state}`);

const GIVEN_UP = {
  outcome: 'timeout',
  status: null,
  detail: 'no answer within 5 s',
  answer: null,
  redirect: null,
  ms: 5,
  retryAfterS: null,
} as const;

for (const engine of engines) {
  test(`${engine}: abandoned notifications raise one alert an hour that names only the host of the shop`, async (t) => {
    const { core, shop, money, clock } = await scene(t, engine);
    const webhookUrl = 'https://shop.example.com/hook?key=s3cret';
    await updateBrand(core, { brand: shop.brand.name, webhookUrl, who });
    const giveUp = async () => {
      const session = await shop.order(50_000);
      const { trxId, text } = money('500.00');
      await shop.receive(text);
      await answer(core, shop, session, trxId);
      const lane = (
        await core.store.read((db) => db.query.selectFrom('notifications').selectAll().execute())
      ).at(-1);
      const [taken] = await takeNotifications(core, [{ lane: lane?.lane ?? '', room: 1 }]);
      const last = { ...taken, tries: 99 } as TakenNotification;
      t.is(
        (await recordAttempt(core, last, GIVEN_UP, { at: clock.now(), askedBy: 'schedule' })).state,
        'FAILED',
      );
    };
    await giveUp();
    await giveUp();
    t.deepEqual(await told(core), ['webhook.failed over']);
    const [alert] = await listAlerts(core, { open: false, limit: 1 });
    t.deepEqual(alert?.detail, { brand: 'Alo Store', host: 'shop.example.com', outcome: 'timeout' } as never);
    t.false(JSON.stringify(alert).includes('s3cret'));
    clock.advance(HOUR);
    await giveUp();
    t.is((await told(core)).length, 2);
  });

  test(`${engine}: a node that fails for minutes raises one alert, and so does its recovery`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const [node] = await addNodes(core, {
      ...{ chainId: 56, url: 'https://node.example.com/v1/s3cret', who },
      ...{ priority: undefined, batches: true },
    });
    const source = node?.id ?? '';
    const asked = async (news: Partial<SourceTally>) => {
      const tally = { source, calls: 1, failures: {}, lastOkAt: null, lastFailure: null, ...news };
      await recordSourceHealth({ ...core, outside: { ...core.outside, tallies: () => [tally] } });
      return watchSources(core);
    };
    const fails = () => asked({ lastFailure: { at: clock.now(), kind: 'timeout', detail: 'too slow' } });
    t.is(await fails(), 0);
    clock.advance(3 * MINUTE - 1);
    t.is(await fails(), 0);
    clock.advance(HOUR);
    t.is(await watchSources(core), 0, 'nobody has asked it since');
    t.is(await fails(), 1);
    t.is(await fails(), 0);
    const [down] = await listAlerts(core, { open: true, limit: 5 });
    t.regex(
      down?.message ?? '',
      /^The node https:\/\/node\.example\.com.* has not answered since 2026-08-21 12:35/,
    );
    t.false(JSON.stringify(down).includes('s3cret'));
    t.is(await asked({ lastOkAt: clock.now() }), 1);
    t.is(await watchSources(core), 0);
    t.deepEqual((await told(core)).toSorted(), ['node.down over', 'node.recovered over']);
    await fails();
    clock.advance(HOUR);
    t.is(await fails(), 1, 'another failure is another incident');
    await removeNode(core, { node: source, who });
    t.is(await watchSources(core), 0);
    t.deepEqual(await listAlerts(core, { open: true, limit: 5 }), [], 'one that was removed concerns nobody');
  });

  test(`${engine}: an address that guesses keys raises one alert an hour across daemons`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    await Promise.all([1, 2, 3].map(() => raiseKeyGuessingAlert(core, '203.0.113.9', 30)));
    await raiseKeyGuessingAlert(core, '203.0.113.10', 30);
    t.is((await told(core)).length, 2);
    clock.advance(HOUR);
    await raiseKeyGuessingAlert(core, '203.0.113.9', 30);
    t.is((await told(core)).length, 3);
  });
}

test('a failed backup raises one alert a day, and so does an outdated one', async (t) => {
  const clock = testClock();
  const folder = await temporaryFolder(t);
  const core = await openTestCore(t, 'sqlite', { clock, env: { KASHBOX_BACKUP_FOLDER: folder } });
  const night = () => nightlyBackup(core, { signal: new AbortController().signal });
  await night();
  t.deepEqual(await told(core), []);
  rmSync(folder, { recursive: true });
  for (let n = 0; n < 3; n += 1) await t.throwsAsync(night(), { code: 'config_invalid' });
  t.deepEqual(await told(core), ['backup.failed over']);
  const [alert] = await listAlerts(core, { open: false, limit: 1 });
  t.true(alert?.message.includes(`The backup folder ${folder} does not exist`), alert?.message);
  clock.advance(24 * HOUR);
  await t.throwsAsync(night());
  t.is((await told(core)).length, 2);
});
