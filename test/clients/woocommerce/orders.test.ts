/** The plugin for WooCommerce with a real daemon, in a shop of stubs and, where it exists, in a real one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { browserOf } from '../../helpers/browser/browser.js';
import { tlsPair } from '../../helpers/network/tls-pair.js';
import { ownerOf } from '../../helpers/programs/processes.js';
import { type Ground, openGround } from '../ground.js';
import { checkouts, shopkeeper } from './checkout.js';
import { CONNECTIONS } from './connections.js';
import { ORDERS } from './orders.js';
import { REFUNDS } from './refunds.js';
import { openSite } from './site.js';
import { connect, type World } from './world.js';

const owner = ownerOf(test);
const browser = browserOf(test);
let ground: Ground;

test.before('a daemon is started that trusts the certificate of the shops', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kashbox-ca-'));
  owner.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'cert.pem');
  writeFileSync(file, (await tlsPair()).cert);
  ground = await openGround({ NODE_EXTRA_CA_CERTS: file });
  owner.teardown(() => ground.close());
});

const folder = process.env.WOOCOMMERCE_DIR ?? '';
const places: [title: string, wordpress: string | null, hpos: string][] = [['stubs', null, '']];
if (folder !== '') {
  places.push(['woocommerce-tables', folder, 'yes']);
  places.push(['woocommerce-posts', folder, 'no']);
} else {
  test.skip('a real WooCommerce passes the same tests (WOOCOMMERCE_DIR names none)', () => {});
}

for (const [title, wordpress, hpos] of places) {
  // Opened one after the other: both shops of a real WooCommerce have the same settings.
  let opened: Promise<World> | undefined;
  const open = async (): Promise<World> => {
    const { certificate } = ground;
    const site = await openSite(owner, { certificate, wordpress, env: { KASHBOX_TEST_HPOS: hpos } });
    return connect(ground, site, title);
  };
  const world = () => {
    opened ??= open();
    return opened;
  };
  const scenarios = [
    ...ORDERS,
    ...REFUNDS,
    ...CONNECTIONS,
    ...(wordpress === null ? [] : [...checkouts(browser), shopkeeper(browser)]),
  ];
  for (const [scenario, run] of scenarios) {
    test.serial(`${title}: ${scenario}`, async (t) => run(t, await world()));
  }
}
