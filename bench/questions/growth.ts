/** Does a verification get slower while years of SMS pile up? */
import { type Load, load } from '../harness/client.js';
import type { Figure, Question, Run } from '../harness/figure.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { fillStore } from '../harness/rows.js';
import { startDaemon } from '../harness/servers.js';
import { equip, type Order } from '../harness/shop.js';
import { CONNECTIONS, payment, verifyBodies } from '../harness/till.js';

interface Stocked {
  readonly hit: (round: number) => Promise<Load>;
  readonly miss: (round: number) => Promise<Load>;
}

export const growth: Question = {
  word: 'growth',
  title: 'Verifying in a store that has grown',
  about:
    `Time per verification over ${CONNECTIONS} connections with 10⁶ SMS and proofs in the store (10⁵ in a quick run), ` +
    'against the same with 10⁴: two daemons on two stores, asked in turn. The hits are taken evenly from the whole store.',
  async answer(run) {
    const rounds = run.quick ? 3 : 8;
    const perRound = 1_000;
    const stock = (count: number) => stocked(run, count, rounds + 1, perRound);
    const small = await stock(10_000);
    const large = await stock(run.quick ? 100_000 : 1_000_000);
    const figures: Figure[] = [];
    for (const what of ['hit', 'miss'] as const) {
      const results = await alternate(rounds, { small: small[what], large: large[what] });
      figures.push(figure(what, results.large, results.small));
    }
    return figures;
  },
};

function figure(name: string, large: readonly Load[], small: readonly Load[]): Figure {
  const times = (side: readonly Load[]) => side.map((load) => 1e6 / load.perSecond);
  const us = (side: readonly Load[]) => `${Math.round(median(times(side)))} µs`;
  return {
    name,
    value: medianRatio(times(large), times(small)),
    unit: 'times the time with 10⁴',
    atMost: 1.3,
    detail: `${us(large)} against ${us(small)} a request`,
  };
}

/** A daemon on a store with so many SMS, and enough sessions for all rounds. */
async function stocked(run: Run, count: number, rounds: number, perRound: number): Promise<Stocked> {
  const home = run.folder(`growth-${count}`);
  const total = rounds * perRound;
  run.say(`filling a store with ${count} SMS …`);
  const { brandKey, owner, hits, misses } = await equip(home, 1, async (shop) => ({
    brandKey: shop.brandKey,
    owner: shop.owner,
    hits: await shop.orders(total),
    misses: await shop.orders(total),
  }));
  const references = fillStore(home, owner, count, total);
  const paid = hits.map(({ session }, index): Order => ({ session, reference: references[index] ?? '' }));
  const daemon = await startDaemon(run, home);
  const asking = (orders: readonly Order[], expect: number) => {
    const bodies = verifyBodies(orders);
    return (round: number) => {
      const part = bodies.slice(round * perRound, (round + 1) * perRound);
      return load(payment(daemon, brandKey, 'verify', part, expect));
    };
  };
  return { hit: asking(paid, 200), miss: asking(misses, 404) };
}
