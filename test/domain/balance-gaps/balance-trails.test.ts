/** The orders of one minute, held against trying every order there is. */
import test from 'ava';
import fc from 'fast-check';
import {
  buildMinute,
  findBalanceGaps,
  orderAlongTrail,
  possibleTrails,
} from '../../../src/domain/balance-gaps/balance-chain.js';
import type { ChainLink } from '../../../src/domain/balance-gaps/balance-link.js';

function link(id: string, before: number | null, after: number, minute = 0): ChainLink {
  return { id, minute, before, after, feeUpTo: 0, commissionUpTo: 0 };
}

/** Few balances, so that SMS meet each other and make circles; now and then one that tells only its end. */
const balance = fc.integer({ min: 0, max: 4 });
const moves = (maxLength: number) =>
  fc.array(fc.tuple(fc.option(balance, { freq: 5 }), balance), { minLength: 1, maxLength });
const linksOf = (told: readonly (readonly [number | null, number])[], minute = 0) =>
  told.map(([before, after], at) => link(`${minute}.${at}`, before, after, minute));

function* ordersOf(links: readonly ChainLink[]): Generator<readonly ChainLink[]> {
  if (links.length === 0) yield [];
  for (const first of links) {
    for (const rest of ordersOf(links.filter((one) => one !== first))) yield [first, ...rest];
  }
}

/** A balance as a way names it: an SMS that does not tell the one before it has one of its own. */
const placeBefore = (one: ChainLink) => (one.before === null ? `?${one.id}` : String(one.before));

/** How many SMS of an order follow nothing, begun at `start`; what tells no balance follows anything. */
function breaksOf(order: readonly ChainLink[], start: string | null): number {
  let [here, breaks] = [start, 0];
  for (const next of order) {
    if (here !== null && next.before !== null && here !== placeBefore(next)) breaks += 1;
    here = String(next.after);
  }
  return breaks;
}

/** By the balance at which they end the fewest breaks of all orders. */
function fewest(links: readonly ChainLink[], start: string | null): Map<number | null, number> {
  const found = new Map<number | null, number>();
  for (const order of ordersOf(links)) {
    const end = order.at(-1)?.after ?? null;
    found.set(end, Math.min(breaksOf(order, start), found.get(end) ?? links.length));
  }
  return found;
}

test('a way from a known balance has the fewest breaks of all orders, and its walk shows just those', (t) => {
  fc.assert(
    fc.property(moves(5), balance, (told, from) => {
      const links = linksOf(told);
      const minute = buildMinute(links);
      const ways = possibleTrails(minute, from);
      t.true(ways.length > 0);
      const least = Math.min(...fewest(links, String(from)).values());
      for (const way of ways) {
        const order = orderAlongTrail(minute, way);
        t.deepEqual([way.start, way.breaks], [String(from), least]);
        t.deepEqual(order.map(({ id }) => id).toSorted(), links.map(({ id }) => id).toSorted());
        t.deepEqual([order.at(-1)?.after, breaksOf(order, way.start)], [way.end, least]);
      }
    }),
    { numRuns: 500 },
  );
});

test('of all orders of all minutes the one with the fewest gaps counts', (t) => {
  const minutes = fc.array(moves(3), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(minutes, (told) => {
      let reached = new Map<number | null, number>([[null, 0]]);
      const all: ChainLink[] = [];
      for (const [minute, ofMinute] of told.entries()) {
        const links = linksOf(ofMinute, minute);
        all.push(...links);
        const next = new Map<number | null, number>();
        for (const [from, before] of reached) {
          for (const [end, breaks] of fewest(links, from === null ? null : String(from))) {
            next.set(end, Math.min(before + breaks, next.get(end) ?? Number.POSITIVE_INFINITY));
          }
        }
        reached = next;
      }
      t.is(findBalanceGaps(all).length, Math.min(...reached.values()));
    }),
    { numRuns: 500 },
  );
});
