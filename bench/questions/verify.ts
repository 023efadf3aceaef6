/** How much does it cost to confirm a payment, and to say that it is not there? */
import type { Question } from '../harness/figure.js';
import { equip, type Order } from '../harness/shop.js';
import { CONNECTIONS, compare, openTill, verifyBodies } from '../harness/till.js';

export const verify: Question = {
  word: 'verify',
  title: 'Verifying payments',
  about:
    `\`POST /api/v2/payment/verify\` over ${CONNECTIONS} kept connections, against a route of the same app, ` +
    'behind the same gate, with the same schemas and the same answer, that stores nothing. Hit: a session and ' +
    'an SMS of its own, which is credited. Miss: a session of its own and an id that is in no SMS; the claim is kept.',
  async answer(run) {
    const home = run.folder('verify');
    const rounds = run.quick ? 3 : 9;
    const perRound = run.quick ? 2_000 : 4_000;
    const total = perRound * (rounds + 1) + 1;
    run.say(`preparing ${total} payments and ${total} sessions …`);
    const { brandKey, paid, unpaid } = await equip(home, 1, async (shop) => ({
      brandKey: shop.brandKey,
      paid: await shop.paidOrders(total),
      unpaid: await shop.orders(total),
    }));
    const [first, second] = [paid.pop(), unpaid.pop()];
    if (first === undefined || second === undefined) throw new Error('nothing was prepared');
    const till = await openTill(run, home, brandKey, first, second);
    const part = (orders: readonly Order[]) => (round: number) =>
      verifyBodies(orders.slice(round * perRound, (round + 1) * perRound));
    return [
      await compare(till, 'hit', rounds, part(paid), 0.4),
      await compare(till, 'miss', rounds, part(unpaid), 0.55),
    ];
  },
};
