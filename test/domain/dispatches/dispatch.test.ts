/** What a phone's reports make of a dispatch, in whatever order they come. */
import test from 'ava';
import fc from 'fast-check';
import {
  applyReport,
  countedParts,
  type DispatchReport,
  type DispatchState,
  noReports,
  parseReports,
  stateOfParts,
} from '../../../src/domain/dispatches/dispatch.js';

const report = (state: DispatchReport['state'], part: number | null = null): DispatchReport => ({
  id: 'x',
  state,
  part,
  error: null,
});

/** @param said such as `SENT 1` of one part, `SENT` of all. @returns letters and state of what was leased. */
function after(parts: number, before: DispatchState, ...said: readonly string[]): string {
  const letters = said.reduce((known, words) => {
    const [state = '', part] = words.split(' ');
    return applyReport(
      known,
      report(state as DispatchReport['state'], part === undefined ? null : Number(part)),
    );
  }, noReports(parts));
  return `${letters} ${stateOfParts(letters, before)}`;
}

test('parts fold into one state: it is sent once all are, delivered once all are, failed once one is', (t) => {
  t.is(after(3, 'LEASED', 'SENT 1'), 'S-- LEASED');
  t.is(after(3, 'LEASED', 'SENT 1', 'SENT 3', 'SENT 2'), 'SSS SENT');
  t.is(after(3, 'LEASED', 'SENT', 'DELIVERED 2'), 'SDS SENT');
  t.is(after(3, 'LEASED', 'DELIVERED 3', 'DELIVERED 1', 'DELIVERED 2'), 'DDD DELIVERED');
  t.is(after(2, 'LEASED', 'DELIVERED'), 'DD DELIVERED');
  t.is(after(3, 'LEASED', 'SENT 1', 'FAILED 2'), 'SF- FAILED');
  t.is(after(2, 'LEASED', 'FAILED'), 'FF FAILED');
  t.is(after(2, 'LEASED', 'EXPIRED'), 'EE EXPIRED');
  t.is(after(2, 'LEASED', 'UNKNOWN'), 'UU UNKNOWN');
  t.is(after(2, 'LEASED', 'SENT 1', 'UNKNOWN'), 'SU UNKNOWN');
  t.is(after(2, 'LEASED', 'SENT 1', 'EXPIRED'), 'SE FAILED');
});

test('a late report corrects an expired or unknown SMS, and a weaker report reverts nothing', (t) => {
  t.is(after(1, 'UNKNOWN', 'SENT'), 'S SENT');
  t.is(after(1, 'UNKNOWN', 'FAILED'), 'F FAILED');
  t.is(after(2, 'UNKNOWN', 'SENT 1'), 'S- UNKNOWN');
  t.is(after(1, 'LEASED', 'UNKNOWN', 'DELIVERED'), 'D DELIVERED');
  t.is(after(1, 'LEASED', 'DELIVERED', 'SENT'), 'D DELIVERED');
  t.is(after(1, 'LEASED', 'SENT', 'FAILED'), 'S SENT');
  t.is(after(1, 'LEASED', 'SENT', 'UNKNOWN'), 'S SENT');
  t.is(after(1, 'EXPIRED', 'SENT'), 'S SENT');
});

test('a failed SMS stays failed, whatever is reported later', (t) => {
  t.is(after(1, 'LEASED', 'FAILED', 'SENT'), 'F FAILED');
  t.is(after(1, 'LEASED', 'FAILED', 'DELIVERED'), 'F FAILED');
  t.is(after(2, 'LEASED', 'FAILED 1', 'SENT', 'DELIVERED'), 'FD FAILED');
  t.is(after(2, 'FAILED', 'SENT 1', 'EXPIRED', 'SENT 2'), 'SS FAILED');
  t.is(after(1, 'LEASED', 'UNKNOWN', 'EXPIRED', 'FAILED'), 'F FAILED');
});

test('expired and unknown apply to every unsent part, whichever part is named', (t) => {
  t.is(after(2, 'LEASED', 'EXPIRED 1'), 'EE EXPIRED');
  t.is(after(2, 'LEASED', 'UNKNOWN 2'), 'UU UNKNOWN');
  t.is(after(3, 'LEASED', 'SENT 1', 'UNKNOWN 1'), 'SUU UNKNOWN');
});

test('a part that is not there changes nothing', (t) => {
  t.is(after(1, 'LEASED', 'SENT 2'), '- LEASED');
});

test('parts that have arrived have left, too', (t) => {
  t.deepEqual(countedParts('S-DFD'), { sent: 3, delivered: 2 });
});

const STATES = ['SENT', 'DELIVERED', 'EXPIRED', 'UNKNOWN', 'FAILED'] as const;

const reportsOf = (states: readonly DispatchReport['state'][]): fc.Arbitrary<DispatchReport[]> =>
  fc.array(
    fc.record({
      id: fc.constant('x'),
      state: fc.constantFrom(...states),
      part: fc.option(fc.integer({ min: 1, max: 4 })),
      error: fc.constant(null),
    }),
    { maxLength: 12 },
  );

test('reports may come twice', (t) => {
  fc.assert(
    fc.property(reportsOf(STATES), (reports) => {
      t.is(
        [...reports, ...reports].reduce(applyReport, noReports(3)),
        reports.reduce(applyReport, noReports(3)),
      );
    }),
  );
});

test('reports may come twice and in any order, as long as none says that it failed', (t) => {
  fc.assert(
    fc.property(
      reportsOf(STATES.filter((state) => state !== 'FAILED')),
      fc.infiniteStream(fc.nat()),
      (reports, chance) => {
        const fold = (list: readonly DispatchReport[]) => list.reduce(applyReport, noReports(3));
        const twice = [...reports, ...reports]
          .map((item) => ({ item, at: chance.next().value ?? 0 }))
          .sort((one, other) => one.at - other.at)
          .map(({ item }) => item);
        t.is(fold(twice), fold(reports));
      },
    ),
  );
});

test('a malformed report is dropped and the others count', (t) => {
  const read = parseReports([
    { id: 'a', state: 'SENT' },
    null,
    'SENT',
    { id: 'b', state: 'sent' },
    { id: 7, state: 'SENT' },
    { id: 'c', state: 'SENT', part: 0 },
    { id: 'd', state: 'SENT', part: 1.5 },
    { id: 'e', state: 'FAILED', part: 2, error: ' no\u0007 credit\n' },
    { id: 'f', state: 'FAILED', part: null, error: 17 },
    { id: 'g', state: 'QUEUED' },
    { id: 'h', state: 'SENT', part: '1' },
    { id: 'i', state: 'SENT', part: 256 },
    { id: 'x'.repeat(201), state: 'SENT' },
    { id: 'j', state: 'SENT', part: 1 },
    { id: 'y'.repeat(200), state: 'SENT', part: 255 },
  ]);
  t.deepEqual(read, [
    { id: 'a', state: 'SENT', part: null, error: null },
    { id: 'e', state: 'FAILED', part: 2, error: 'no  credit' },
    { id: 'f', state: 'FAILED', part: null, error: null },
    { id: 'j', state: 'SENT', part: 1, error: null },
    { id: 'y'.repeat(200), state: 'SENT', part: 255, error: null },
  ]);
});

test('of more than 200 reports the first 200 are read, and anything but a list is empty', (t) => {
  const many = Array.from({ length: 250 }, (_, n) => ({ id: `r${n}`, state: 'SENT' }));
  t.is(parseReports(many).length, 200);
  for (const value of [undefined, null, {}, 'SENT', 7]) t.deepEqual(parseReports(value), []);
});
