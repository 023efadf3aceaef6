/** Preview cards: their size, and how the text is set. */
import test from 'ava';
import { PNG } from 'pngjs';
import { drawCard } from '../../../daemon/checkout/card.js';

const LOOK = { shop: 'Alo Store', colour: '#00644b', onColour: '#ffffff', logo: null };

const draw = (title: string, amount: string | null = null) => drawCard({ ...LOOK, title, amount });

/** Pixels of the title that are not white: first and last column, and how many. */
async function ink(
  title: string,
): Promise<{ readonly left: number; readonly right: number; readonly count: number }> {
  const { width, data } = PNG.sync.read(await draw(title));
  let [left, right, count] = [width, 0, 0];
  for (let y = 250; y < 560; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((data[(y * width + x) * 4] ?? 255) >= 200) continue;
      [left, right, count] = [Math.min(left, x), Math.max(right, x), count + 1];
    }
  }
  return { left, right, count };
}

const LONG = 'রূপগঞ্জের তাঁতিদের হাতে বোনা ঐতিহ্যবাহী জামদানি শাড়ি যার নকশা শতবর্ষ পুরোনো এবং প্রতিটি সুতা হাতে কাটা';

for (const [name, title, amount] of [
  ['in Bangla', 'জামদানি শাড়ি, লাল', '৳ ৪,৫০০'],
  ['in Latin', 'Jamdani sari, red', '৳ 4,500'],
  ['with a long title', LONG, '৳ ১,০০,০০০'],
  ['with one long word', 'W'.repeat(100), null],
  ['with emoji', 'Mangoes 🥭🥭', '৳ 900'],
  ['without a letter that the font has', '中文 🥭', null],
] as const) {
  test(`a card ${name} is a PNG of 1200 x 630 below 300 KB`, async (t) => {
    const card = await draw(title, amount);
    const { width, height } = PNG.sync.read(card);
    t.deepEqual([width, height], [1_200, 630]);
    t.true(card.length < 300_000);
    const { left, right } = await ink(title);
    if (left < right) t.true(left >= 70 && right <= 1_130, 'the title keeps its margins');
  });
}

test('characters that the font lacks leave no box', async (t) => {
  t.is((await ink('中文 🥭')).count, 0);
  t.true((await draw('Mangoes 🥭')).equals(await draw('Mangoes')));
  t.true((await draw('Red 中 sari 👨‍👩‍👧 2️⃣')).equals(await draw('Red sari 2')));
});

test('Bangla is shaped, also next to Latin', async (t) => {
  const width = async (title: string) => {
    const { left, right } = await ink(title);
    return right - left;
  };
  // A conjunct is one letter; a non-joiner keeps its parts apart.
  t.true((await width('ক্ষ')) < (await width('ক্\u200cষ')));
  t.true((await width('Sari ক্ষ')) < (await width('Sari ক্\u200cষ')));
  t.is((await ink('ড়')).count, (await ink('ড\u09bc')).count, 'both spellings of a letter look the same');
});

test('a title of more than two lines ends with an ellipsis', async (t) => {
  const card = await draw(LONG);
  t.true(card.equals(await draw(`${LONG} ${LONG}`)), 'what is cut does not matter');
  t.true((await ink(LONG)).count > (await ink(LONG.slice(0, 40))).count);
});
