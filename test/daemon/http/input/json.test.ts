/** The parser of bodies: what is dangerous is refused, and an amount never passes through a float. */
import test from 'ava';
import { parseBody } from '../../../../daemon/http/input/json.js';

const parse = (text: string) => parseBody(Buffer.from(text));
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

for (const text of ['500', '100.10', '1e5', '0.1e1', '10.005', '1.00000000000000001', '-1', '1E400', '-0']) {
  test(`the amount ${text} arrives as the very text that was sent`, (t) => {
    t.is(parse(`{"amount":${text}}`).amount, text);
    t.is(parse(`{"meta_data":{"amount":3,"x":[1.50]},"amount" : ${text} }`).amount, text);
  });
}

test('of an amount that comes twice the last one counts, exactly', (t) => {
  t.is(parse('{"amount":1.10,"amount":2.20}').amount, '2.20');
  t.is(parse('{"amount":1.10,"amount":"3.30"}').amount, '3.30');
  t.is(parse('{"amount":"3.30","\\u0061mount":1e0}').amount, '1e0');
});

test('an amount that is not a number is left unchanged', (t) => {
  for (const value of ['"500"', 'true', 'null', '[]', '{}']) {
    t.deepEqual(parse(`{"amount":${value}}`).amount, JSON.parse(value));
  }
});

test('other numbers are ordinary numbers', (t) => {
  t.deepEqual(parse('{"battery":81.5,"meta_data":{"n":15}}'), { battery: 81.5, meta_data: '{"n":15}' });
  t.deepEqual(parse('{"battery":81,"meta_data":{"n":15}}'), { battery: 81, meta_data: { n: 15 } });
});

for (const number of ['12345678901234567890', '-9007199254740993', '1.10', '1e400', '-0', '0.1', '1.0E-7']) {
  test(`the merchant's object with the number ${number} arrives as its JSON text`, (t) => {
    const meta = `{"a":[${number},{"b":"${number}, 9","c":null}],"d\\"":true}`;
    for (const name of ['meta_data', 'metadata']) {
      t.deepEqual(parse(`{"${name}":${meta}}`), { [name]: meta });
      t.deepEqual(parse(`{"${name}" : ${meta.replaceAll(':', ' :\t')},"amount":5.0}`), {
        [name]: meta,
        amount: '5.0',
      });
    }
  });
}

test('strings in an object never become numbers, whatever they look like', (t) => {
  const looksLike = { text: '1', a: ',1.5', b: ':12345678901234567890', isLosslessNumber: true };
  t.deepEqual(JSON.parse(String(parse(JSON.stringify({ meta_data: looksLike })).meta_data)), looksLike);
  const safe = { a: '12345678901234567890', b: 9_007_199_254_740_991 };
  t.deepEqual(JSON.parse(String(parse(JSON.stringify({ meta_data: safe })).meta_data)), safe);
});

test('only an object becomes a text, so that nothing else is taken for one', (t) => {
  t.deepEqual(parse('{"meta_data":[1.5],"metadata":2.5}'), { meta_data: [1.5], metadata: 2.5 });
  t.deepEqual(parse('{"meta_data":"{\\"a\\":1.10}"}'), { meta_data: '{"a":1.10}' });
});

for (const text of [
  '{"__proto__":{"polluted":1}}',
  '{"a":{"__proto__":1}}',
  '{"\\u005f_proto__":{}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
]) {
  test(`${text} is refused and changes no prototype`, (t) => {
    t.throws(() => parse(text), { name: 'KashboxError' });
    t.is(({} as { polluted?: unknown }).polluted, undefined);
  });
}

test('twenty levels are read, twenty-one and thirty thousand are refused', (t) => {
  t.notThrows(() => parse(nested(20)));
  for (const levels of [21, 30_000]) t.throws(() => parse(nested(levels)), { name: 'KashboxError' });
  const list = `{"a":${'['.repeat(20)}${']'.repeat(20)}}`;
  t.throws(() => parse(list), { name: 'KashboxError' });
});

test('brackets inside strings do not count as levels, even after escaped quotes', (t) => {
  const value = `${'[{'.repeat(50)}"\\`;
  t.deepEqual(parse(JSON.stringify({ a: value })), { a: value });
});

for (const [what, bytes] of [
  ['an overlong byte', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])],
  ['half a character', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe0, 0xa7]), Buffer.from('"}')])],
  ['Latin-1', Buffer.from('{"a":"é"}', 'latin1')],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
] as const) {
  test(`a body with ${what} is refused`, (t) => {
    t.throws(() => parseBody(bytes), { name: 'KashboxError' });
  });
}

test('a byte order mark is passed over, also where the amount is read exactly', (t) => {
  t.deepEqual(parse('\uFEFF{"amount":1.10}'), { amount: '1.10' });
});

for (const text of [
  '',
  ' ',
  '[]',
  '"text"',
  '5',
  'null',
  '{"a":NaN}',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1}{"b":2}',
]) {
  test(`the body ${JSON.stringify(text)} is refused without being repeated`, (t) => {
    const error = t.throws(() => parse(text), { name: 'KashboxError' });
    t.false(text.length > 4 && (error?.message.includes(text) ?? true));
  });
}
