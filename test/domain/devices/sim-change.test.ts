import test from 'ava';
import { changeSims, numberAt, type Sim } from '../../../src/domain/devices/sim-change.js';

const NOW = 1_000;
const ONE = { slot: 1, number: '01711000001', since: 0 };
const TWO = { slot: 2, number: '01811000002', since: 5 };

test('a new number holds from now on, and other slots keep theirs and since when', (t) => {
  const { sims, changed } = changeSims([ONE, TWO], [{ slot: 1, number: '01911000003' }], [], NOW);
  t.deepEqual(sims, [{ slot: 1, number: '01911000003', since: NOW }, TWO]);
  t.deepEqual(changed, [{ slot: 1, before: ONE.number, after: '01911000003' }]);
});

test('SIMs that change places both hold from now on', (t) => {
  const given = [
    { slot: 1, number: TWO.number },
    { slot: 2, number: ONE.number },
  ];
  const { sims, changed } = changeSims([ONE, TWO], given, [], NOW);
  t.deepEqual(
    sims.map(({ since }) => since),
    [NOW, NOW],
  );
  t.is(changed.length, 2);
});

test('the number that is there already changes nothing', (t) => {
  t.deepEqual(changeSims([ONE], [{ slot: 1, number: ONE.number }], [], NOW), { sims: [ONE], changed: [] });
});

test('a slot that had no number gets it for all that came, because it was only not named', (t) => {
  const { sims } = changeSims([ONE], [{ slot: 2, number: TWO.number }], [], NOW);
  t.deepEqual(sims, [ONE, { ...TWO, since: 0 }]);
});

test('where a SIM is taken out, the others hold from now on too: an SMS that names none was not theirs', (t) => {
  const { sims, changed } = changeSims([ONE, TWO], [], [2], NOW);
  t.deepEqual(sims, [{ ...ONE, since: NOW }]);
  t.deepEqual(changed, [{ slot: 2, before: TWO.number, after: null }]);
});

const readings: readonly (readonly [
  sims: readonly Sim[],
  slot: number | null,
  at: number,
  number: string | null,
])[] = [
  [[ONE], 1, 0, ONE.number],
  [[ONE], null, 0, ONE.number],
  [[ONE], 2, 0, null],
  [[ONE, TWO], null, 10, null],
  [[ONE, TWO], 2, 10, TWO.number],
  [[ONE, TWO], 2, 5, TWO.number],
  [[ONE, TWO], 2, 4, null],
  [[TWO], null, 4, null],
  [[], null, 4, null],
];
for (const [sims, simSlot, receivedAtMs, number] of readings) {
  const held = sims.map(({ slot }) => slot).join(' and ') || 'no SIM';
  test(`of a phone with ${held}, an SMS of ${receivedAtMs} in slot ${simSlot} reached ${number}`, (t) => {
    t.is(numberAt(sims, { simSlot, receivedAtMs }), number);
  });
}
