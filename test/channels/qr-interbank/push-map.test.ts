/** The field map of an acquirer: what is taken, and that all that is wrong with one is said at once. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import { CANONICAL_MAP, parsePushMap } from '../../../src/channels/qr-interbank/push-map.js';

test('a map names its fields, and of what it does not name nothing is read', (t) => {
  t.deepEqual(parsePushMap({ reference: 'tran_id', amount: 'data.total' }), {
    ok: true,
    map: {
      reference: 'tran_id',
      amount: 'data.total',
      amount_unit: 'taka',
      payer: null,
      paid_at: null,
      time_format: 'iso',
      time_zone: '+06:00',
      status: null,
      success: [],
      bill: null,
      merchant: null,
      currency: null,
    },
  });
});

test('accepts a complete map unchanged', (t) => {
  t.deepEqual(parsePushMap(CANONICAL_MAP), { ok: true, map: CANONICAL_MAP });
});

const faults: readonly (readonly [unknown, readonly RegExp[]])[] = [
  [null, [/must be a JSON object/]],
  [[], [/must be a JSON object/]],
  ['reference', [/must be a JSON object/]],
  [{}, [/reference is missing/, /amount is missing/]],
  [{ reference: 'a', amount: 'b', ammount: 'c' }, [/ammount is unknown; there are reference, amount/]],
  [{ reference: '', amount: 'a..b' }, [/reference must be the name/, /amount must be the name/]],
  [{ reference: 5, amount: ['a'] }, [/reference must be the name/, /amount must be the name/]],
  [{ reference: 'a', amount: 'b', amount_unit: 'cents' }, [/amount_unit must be taka or paisa/]],
  [{ reference: 'a', amount: 'b', time_format: 'YYYY' }, [/time_format must be/]],
  [{ reference: 'a', amount: 'b', time_format: 'YYYY-MM-DD HH:mm MM' }, [/time_format must be/]],
  [{ reference: 'a', amount: 'b', time_zone: 'Asia/Dhaka' }, [/time_zone must be like \+06:00/]],
  [{ reference: 'a', amount: 'b', status: 's' }, [/status and success belong together/]],
  [{ reference: 'a', amount: 'b', success: ['S'] }, [/status and success belong together/]],
  [{ reference: 'a', amount: 'b', status: 's', success: [] }, [/success must be a list/]],
  [{ reference: 'a', amount: 'b', status: 's', success: [0] }, [/success must be a list/]],
  [{ payer: ' ', time_zone: '6', x: 1 }, [/x is unknown/, /reference/, /amount/, /payer/, /time_zone/]],
];

for (const [given, expected] of faults) {
  test(`a map is refused with all its faults: ${JSON.stringify(given)}`, (t) => {
    const read = parsePushMap(given);
    t.false(read.ok);
    const said = read.ok ? [] : read.faults;
    t.is(said.length, expected.length, said.join('\n'));
    for (const [index, fault] of expected.entries()) t.regex(said[index] ?? '', fault);
  });
}

test('a key that JSON can have and an object cannot is unknown like any other', (t) => {
  const read = parsePushMap(JSON.parse('{"reference":"a","amount":"b","__proto__":{"payer":"c"}}'));
  t.deepEqual(!read.ok && read.faults.length, 1);
});

test('the maps in docs/bank-qr.md are taken, and its table names all that a map may have', (t) => {
  const text = readFileSync(new URL('../../../../docs/bank-qr.md', import.meta.url), 'utf8');
  const maps = [...text.matchAll(/^```json\n(.*?)\n```$/gms)].map(([, map = '']) => JSON.parse(map));
  t.is(maps.length, 3);
  for (const map of maps) t.true(parsePushMap(map).ok, JSON.stringify(map));
  const [, table = ''] = /^\| name \|.*\n\|---.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const named = table.split('\n').flatMap((row) => (row.split('|')[1] ?? '').match(/\w+/g) ?? []);
  t.deepEqual(named.toSorted(), Object.keys(CANONICAL_MAP).toSorted());
});
