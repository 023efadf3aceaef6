/** The two languages of the checkout page: complete, unmixed, and true of what the page really takes. */
import test from 'ava';
import { BN } from '../../../daemon/checkout/texts/bn.js';
import { EN } from '../../../daemon/checkout/texts/en.js';
import { CHANNEL, MFS_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { findWalletReference, WALLET_ID_SHAPE } from '../../../src/domain/matching/reference.js';

/** Stands in for what a text is given; in neither language's letters. */
const STAND_IN = '12';

/** What else some texts are given. */
const GIVEN: Readonly<Record<string, readonly unknown[]>> = {
  '.timeOfDay': [12, STAND_IN],
  '.notOthers': [[STAND_IN]],
  '.code.stepScan': [[STAND_IN]],
};

/** Every text by its path, those that take something with `STAND_IN` in it. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const args = GIVEN[path] ?? Array.from({ length: value.length }, () => STAND_IN);
    return textsOf((value as (...given: unknown[]) => unknown)(...args), path);
  }
  return Object.entries(value as object).flatMap(([name, part]) => textsOf(part, `${path}.${name}`));
}

const bangla = new Map(textsOf(BN));
const english = new Map(textsOf(EN));
const OWN = ['.language', '.locale', '.other.language', '.other.name'];

test('both languages say the same things', (t) => {
  t.true(bangla.size > 100);
  t.deepEqual([...bangla.keys()].sort(), [...english.keys()].sort());
});

test('every text says something and holds no placeholder but {}', (t) => {
  for (const [path, text] of [...bangla, ...english]) {
    t.notRegex(text.replace('{}', STAND_IN), /^\s*$|\$\{|\{|\}|undefined|TODO| {2}/, `${path}: ${text}`);
  }
  const marked = (texts: Map<string, string>) =>
    [...texts].filter(([, text]) => text.includes('{}')).map(([path]) => path);
  t.deepEqual(marked(bangla), ['.stepOpen', '.idFound']);
  t.deepEqual(marked(english), ['.stepOpen', '.idFound']);
});

test('texts contain the values they are given, in both languages', (t) => {
  for (const texts of [BN, EN]) {
    for (const [path, text] of textsOf(texts).filter(([path]) => isGiven(texts, path))) {
      t.true(text.includes(STAND_IN), `${path}: ${text}`);
    }
  }
});

function isGiven(texts: object, path: string): boolean {
  return (
    path.split('.').length === 2 &&
    typeof Object.entries(texts).find(([name]) => `.${name}` === path)?.[1] === 'function'
  );
}

test('Bangla texts are Bangla and English texts are English', (t) => {
  const LATIN_NAMES = ['.channels.bep20'];
  for (const [path, text] of bangla) {
    if (OWN.includes(path) || LATIN_NAMES.includes(path)) continue;
    t.regex(text, /[\u0980-\u09ff]/, `${path}: ${text}`);
    const own = text.replaceAll(STAND_IN, '').replaceAll('0x', '');
    t.notRegex(own, /\d/, `${path} has digits of another script: ${text}`);
  }
  for (const [path, text] of english) {
    if (!OWN.includes(path)) t.notRegex(text, /[\u0980-\u09ff]/, `${path}: ${text}`);
  }
});

test('the example of each wallet has the shape that the wallet gives its ids', (t) => {
  for (const channel of MFS_CHANNELS) {
    const { example } = CHANNEL[channel];
    t.regex(example, WALLET_ID_SHAPE[channel]);
    t.deepEqual(findWalletReference(channel, `TrxID ${example}`), { outcome: 'id', reference: example });
  }
});
