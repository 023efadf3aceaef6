/** Which bank push pays which claim: what must hold of any mixture of pushes and claims. */
import test from 'ava';
import fc from 'fast-check';
import type { FreePush, PayerClaim } from '../../../src/domain/matching/matching-push.js';
import * as rules from '../../../src/domain/matching/matching-push.js';
import { comparedDigits, parseShownPayer, payerAgrees } from '../../../src/domain/matching/payer.js';

const NUMBER = '01712345678';
const TWIN = '01812345678';
const MERCHANT = '1750000000000000012';

const payers = [NUMBER, TWIN, '017****5678', '018****5678', '*5678', '01712******', '01712345XXX', null];
const anyPush = fc.record({
  amountPaisa: fc.constantFrom(50_000, 50_000, 50_000, 60_000),
  payer: fc.constantFrom(...payers.map(parseShownPayer)),
  merchant: fc.constantFrom(null, null, MERCHANT, 'other'),
  billOf: fc.constantFrom(null, null, null, 'session 0', 'session 1', 'closed'),
  at: fc.integer({ min: 0, max: 5 }),
  moved: fc.record({ from: fc.constantFrom(null, 0, 4_000, 6_000), until: fc.constantFrom(1, 8_000) }),
  isDoubtful: fc.constantFrom(false, false, true),
});
const anyClaim = fc.record({
  typed: fc.constantFrom(NUMBER, TWIN, '5678', '5678', '5679', '01999999999'),
  duePaisa: fc.constantFrom(50_000, 50_000, 50_000, 60_000),
  merchantIds: fc.constantFrom([MERCHANT], [MERCHANT], ['other'], []),
  notBefore: fc.integer({ min: 0, max: 3 }),
  claimedAt: fc.constantFrom(0, 1, 2, 3, 5_000),
  openedAt: fc.constantFrom(0, 0, 7_000, 9_000),
});
const scene = fc
  .tuple(fc.array(anyPush, { maxLength: 6 }), fc.array(anyClaim, { maxLength: 6 }))
  .map(([pushes, claims]) => ({
    pushes: pushes.map((item, index): FreePush => ({ ...item, id: `push ${index}` })),
    claims: claims.map((item, index): PayerClaim => ({ ...item, session: `session ${index}` })),
  }));
/** Every claim is a number that was typed. */
const choosePush = (own: PayerClaim, free: readonly FreePush[], rivals: readonly PayerClaim[]) =>
  rules.choosePush(own, { free, claims: rivals, typed: [own, ...rivals], now: 10_000 });
const chooseClaim = (arrived: FreePush, free: readonly FreePush[], claims: readonly PayerClaim[]) =>
  rules.chooseClaim(arrived, { free, claims, typed: claims, now: 10_000 })?.claim ?? null;
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

test('four digits are credited only where no others were typed in vain since the money moved', (t) => {
  fc.assert(
    fc.property(scene, ({ pushes, claims }) => {
      for (const own of claims) {
        const choice = choosePush(own, pushes, othersOf(claims, own));
        if (choice.outcome !== 'push' || choice.doubt !== null) continue;
        const chosen = pushes.find(({ id }) => id === choice.id);
        if (chosen?.payer == null || chosen.billOf !== null) continue;
        const digits = comparedDigits(own.typed, chosen.payer);
        if (digits.length > 4) continue;
        t.is(digits.length, 4);
        if (own.typed.length === 4) t.true(own.openedAt <= chosen.moved.until);
        t.true(own.claimedAt >= (chosen.moved.from ?? 0) - 3_000);
        const since = chosen.moved.from ?? Number.NEGATIVE_INFINITY;
        const inVain = claims.filter(({ typed, claimedAt }) => {
          const others = chosen.payer === null ? '' : comparedDigits(typed, chosen.payer);
          const isMatched = pushes.some(({ payer }) => payer !== null && payerAgrees(typed, payer));
          return others.length === 4 && others !== digits && claimedAt >= since && !isMatched;
        });
        t.deepEqual(inVain, []);
      }
    }),
    { numRuns: 2_000 },
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

test('of claims and of pushes of one instant the first by its id comes first', (t) => {
  const moved = { from: null, until: 1 };
  const known = { amountPaisa: 50_000, payer: parseShownPayer(NUMBER), merchant: null, billOf: null, moved };
  const pushes = ['push b', 'push a'].map((id): FreePush => ({ ...known, id, at: 1, isDoubtful: false }));
  const due = { typed: NUMBER, duePaisa: 50_000, merchantIds: [], notBefore: 0, claimedAt: 2, openedAt: 0 };
  const [second, first] = [
    { ...due, session: 'session b' },
    { ...due, session: 'session a' },
  ];
  t.deepEqual(choosePush(first, pushes, [second]), { outcome: 'push', id: 'push a', doubt: null });
  t.deepEqual(choosePush(second, pushes, [first]), { outcome: 'push', id: 'push b', doubt: null });
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
