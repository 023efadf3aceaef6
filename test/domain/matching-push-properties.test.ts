/** Which bank push pays which claim: what must hold of any mixture of pushes and claims. */
import test from 'ava';
import fc from 'fast-check';
import { chooseClaim, choosePush, type FreePush, type PayerClaim } from '../../src/domain/matching-push.js';
import { payerAgrees, readShownPayer } from '../../src/domain/payer.js';

const NUMBER = '01712345678';
const TWIN = '01812345678';
const MERCHANT = '1750000000000000012';

const payers = [NUMBER, TWIN, '017****5678', '018****5678', '*5678', '01712******', '01712345XXX', null];
const anyPush = fc.record({
  amountPaisa: fc.constantFrom(50_000, 50_000, 50_000, 60_000),
  payer: fc.constantFrom(...payers.map(readShownPayer)),
  merchant: fc.constantFrom(null, null, MERCHANT, 'other'),
  billOf: fc.constantFrom(null, null, null, 'session 0', 'session 1', 'closed'),
  at: fc.integer({ min: 0, max: 5 }),
  isDoubtful: fc.constantFrom(false, false, true),
});
const anyClaim = fc.record({
  typed: fc.constantFrom(NUMBER, TWIN, '5678', '5678', '5679', '01999999999'),
  duePaisa: fc.constantFrom(50_000, 50_000, 50_000, 60_000),
  merchantIds: fc.constantFrom([MERCHANT], [MERCHANT], ['other'], []),
  notBefore: fc.integer({ min: 0, max: 3 }),
  claimedAt: fc.integer({ min: 0, max: 3 }),
});
/** Strangers' last four digits, sometimes as many as are too many. */
const crowd = Array.from(
  { length: 21 },
  (_, index): PayerClaim => ({
    session: `stranger ${index}`,
    typed: String(3_000 + index),
    duePaisa: 50_000,
    merchantIds: [MERCHANT],
    notBefore: 0,
    claimedAt: 2,
  }),
);
const scene = fc
  .tuple(
    fc.array(anyPush, { maxLength: 6 }),
    fc.array(anyClaim, { maxLength: 6 }),
    fc.constantFrom(0, 0, 19, 20, 21),
  )
  .map(([pushes, claims, strangers]) => ({
    pushes: pushes.map((item, index): FreePush => ({ ...item, id: `push ${index}` })),
    claims: [
      ...claims.map((item, index): PayerClaim => ({ ...item, session: `session ${index}` })),
      ...crowd.slice(0, strangers),
    ],
  }));
const othersOf = (claims: readonly PayerClaim[], own: PayerClaim) => claims.filter((item) => item !== own);

const isOurs = ({ merchant }: FreePush, { merchantIds }: PayerClaim) =>
  merchant === null || merchantIds.includes(merchant);

test('no two sessions ever choose one push, and no choice contradicts what is shown', (t) => {
  fc.assert(
    fc.property(scene, ({ pushes, claims }) => {
      const taken: string[] = [];
      for (const own of claims) {
        const choice = choosePush(own, pushes, othersOf(claims, own));
        if (choice.outcome !== 'push') continue;
        taken.push(choice.id);
        const chosen = pushes.find(({ id }) => id === choice.id);
        t.is(chosen?.amountPaisa, own.duePaisa);
        t.true((chosen?.at ?? -1) >= own.notBefore);
        t.true(
          chosen?.billOf === null
            ? chosen.payer !== null && payerAgrees(own.typed, chosen.payer) && isOurs(chosen, own)
            : chosen?.billOf === own.session,
        );
      }
      t.is(new Set(taken).size, taken.length);
    }),
    { numRuns: 2_000 },
  );
});

test('in a crowd of last four digits no push is given to any of them but by its bill', (t) => {
  fc.assert(
    fc.property(scene, ({ pushes, claims }) => {
      for (const own of claims) {
        const fours = claims
          .filter(({ typed, session, duePaisa }) => {
            return typed.length === 4 && session !== own.session && duePaisa === own.duePaisa;
          })
          .map(({ typed }) => typed);
        if (own.typed.length !== 4 || new Set(fours).size <= 20) continue;
        const choice = choosePush(own, pushes, othersOf(claims, own));
        const chosen = pushes.find(({ id }) => choice.outcome === 'push' && id === choice.id);
        if (chosen === undefined) t.deepEqual(choice, { outcome: 'ask_full_number' });
        else t.is(chosen.billOf, own.session);
      }
    }),
    { numRuns: 500 },
  );
});

test('the order in which the store gives pushes and claims changes nothing', (t) => {
  fc.assert(
    fc.property(scene, ({ pushes, claims }) => {
      for (const own of claims) {
        const rivals = othersOf(claims, own);
        t.deepEqual(
          choosePush(own, pushes.toReversed(), rivals.toReversed()),
          choosePush(own, pushes, rivals),
        );
      }
    }),
    { numRuns: 300 },
  );
});

test('a push that arrives goes to the one claim that would have chosen it itself', (t) => {
  fc.assert(
    fc.property(scene, ({ pushes, claims }) => {
      for (const arrived of pushes) {
        const found = chooseClaim(arrived, pushes, claims);
        const choosing = claims.filter((own) => {
          const choice = choosePush(own, pushes, othersOf(claims, own));
          return choice.outcome === 'push' && choice.id === arrived.id;
        });
        t.deepEqual(choosing, found === null ? [] : [found]);
      }
    }),
    { numRuns: 500 },
  );
});

test('however pushes arrive, every one pays at most once and every session is paid at most once', (t) => {
  fc.assert(
    fc.property(scene, ({ pushes, claims }) => {
      let free: FreePush[] = [];
      let waiting = claims;
      const paid: string[] = [];
      for (const arrived of pushes) {
        free = [...free, arrived];
        const found = chooseClaim(arrived, free, waiting);
        if (found === null) continue;
        paid.push(found.session);
        free = free.filter((item) => item !== arrived);
        waiting = waiting.filter((item) => item !== found);
      }
      t.is(new Set(paid).size, paid.length);
      t.is(free.length + paid.length, pushes.length);
    }),
    { numRuns: 500 },
  );
});
