/** How much does it cost that a created payment is on the disk before it is answered? */
import type { Question } from '../harness/figure.js';
import { equip } from '../harness/shop.js';
import { CONNECTIONS, compare, createBodies, openTill } from '../harness/till.js';

export const create: Question = {
  word: 'create',
  title: 'Creating payments',
  about:
    `\`POST /api/v2/payment/create\` over ${CONNECTIONS} kept connections to the daemon on a SQLite file, ` +
    'on the disk before each answer, against a route of the same app, behind the same gate, with the same ' +
    'schemas and the same answer, that stores nothing.',
  async answer(run) {
    const home = run.folder('create');
    const { brandKey, paid, unpaid } = await equip(home, 1, async (shop) => ({
      brandKey: shop.brandKey,
      paid: await shop.paidOrders(1),
      unpaid: await shop.orders(1),
    }));
    const [first, second] = [paid[0], unpaid[0]];
    if (first === undefined || second === undefined) throw new Error('nothing was prepared');
    const till = await openTill(run, home, brandKey, first, second);
    const bodies = createBodies(run.quick ? 3_000 : 6_000);
    return [await compare(till, 'create', run.quick ? 3 : 9, () => bodies, 0.6)];
  },
};
