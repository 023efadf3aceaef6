/** Whose page it is: monogram and icon of the brand, its marks, its questions and its video. */
import test from 'ava';
import { STYLE } from '../../../../daemon/checkout/assets.js';
import { brandStyle, markPath, monogram, shopContext } from '../../../../daemon/checkout/look.js';
import { renderCheckout } from '../../../../daemon/checkout/view.js';
import type { BrandTheme } from '../../../../src/actions/brands/brand-theme.js';
import { escaped, languages, pageOf, STATES } from './view-pages.js';

const LOOK: BrandTheme = { website: null, colour: null, logo: null, marks: '{}' };
const FACTS = { file: `${'0'.repeat(32)}.png`, width: 64, height: 64, bytes: 100 };
const LOGO = JSON.stringify(FACTS);

/** The icon of a page, as it is in the page, and the SVG that it is. */
function iconOf(name: string, look = LOOK) {
  const { brand } = pageOf('open').checkout;
  const html = renderCheckout(pageOf('open', {}, { brand: { ...brand, name }, look }));
  const address = /<link rel="icon" href="(.*?)">/.exec(html)?.[1] ?? '';
  return { html, address, svg: decodeURIComponent(address.slice(address.indexOf(',') + 1)) };
}

test('a monogram is the first letter or digit of a name, a Bangla conjunct undivided', (t) => {
  for (const [name, letter] of [
    ['আলো', 'আ'],
    ['ক্ষুদ্র', 'ক্ষু'],
    ['স্ত্রী', 'স্ত্রী'],
    ['123 shop', '1'],
    ['১ টাকা', '১'],
    ['  - x', 'X'],
    ['“élan”', 'É'],
    ['e\u0301lan', 'E\u0301'],
    ['👩‍👩‍👧 🛍️ alo', 'A'],
    ['🛍️', '৳'],
    ['<&">', '৳'],
    ['', '৳'],
  ] as const) {
    t.is(monogram(name).normalize('NFC'), letter.normalize('NFC'), name);
  }
});

test('a shop has a monogram unless it has a logo', (t) => {
  t.like(shopContext('আলো', LOOK, '', ''), { monogram: 'আ', logo: null });
  const path = `/b/api/picture/${FACTS.file}`;
  t.like(shopContext('Alo', { ...LOOK, logo: LOGO }, '/b', ''), { monogram: null, logo: path });
});

test('the icon is the monogram in the brand’s colour with readable text, in less than 350 bytes', (t) => {
  for (const [name, letter] of [
    ['Alo', 'A'],
    ['স্ত্রী', 'স্ত্রী'],
    ['🛍️', '৳'],
  ] as const) {
    const { address, svg } = iconOf(name);
    t.true(address.startsWith('data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 '));
    t.regex(
      svg,
      new RegExp(
        `^<svg [^<>]*><circle r="8" fill="#00644b"/><text [^<>]* fill="#ffffff"[^<>]*>${letter}</text></svg>$`,
      ),
    );
    t.true(Buffer.byteLength(address) < 350, `${Buffer.byteLength(address)}`);
    t.notRegex(address, /[<>"'&#]/);
  }
  t.regex(iconOf('Alo', { ...LOOK, colour: '#00aa77' }).svg, /<circle r="8" fill="#00[0-9a-f]{4}"\/>/);
  const yellow = iconOf('Alo', { ...LOOK, colour: '#ffcc00' });
  const shade = brandStyle({ ...LOOK, colour: '#ffcc00' })?.shades?.light;
  t.true(yellow.svg.includes(`fill="${shade?.colour}"`) && yellow.svg.includes(`fill="${shade?.text}"`));
  t.is(iconOf('Alo', { ...LOOK, logo: LOGO }).address, `/api/picture/${FACTS.file}`);
});

test('the icon of a brand without a colour has the main colour of the page', (t) => {
  t.regex(STYLE, /--main: ?#00644b/);
});

test('a brand with a colour has it in the frame of the browser, in light and in dark mode', (t) => {
  t.false(iconOf('Alo').html.includes('theme-color'));
  const { html } = iconOf('Alo', { ...LOOK, colour: '#00664b' });
  const dark = brandStyle({ ...LOOK, colour: '#00664b' })?.shades?.dark.colour;
  t.true(html.includes(`<meta name="theme-color" media="(prefers-color-scheme:dark)" content="${dark}">`));
  t.true(html.includes('<meta name="theme-color" content="#00664b">'));
});

test('a mark has an address for the channels that have one', (t) => {
  const look = { ...LOOK, marks: JSON.stringify({ mfs_a: FACTS }) };
  t.is(markPath(look, 'mfs_a', '/b'), `/b/api/picture/${FACTS.file}`);
  t.is(markPath(look, 'mfs_b', '/b'), null);
});

test('questions are folded, a video names its host, and both appear while the customer can pay', (t) => {
  const questions = [
    { question: 'How do I pay with bKash?', answer: 'Open the app, Send Money.' },
    { question: '<b>কেন</b> & "কীভাবে"?', answer: '</details><script>alert(1)</script>' },
  ];
  const video = 'https://video.example/watch?v=1&t="2"';
  for (const state of STATES) {
    for (const { language, t: texts } of languages) {
      const html = renderCheckout(pageOf(state, { language }, { questions, video }));
      if (state !== 'open' && state !== 'waiting') {
        t.false(html.includes('id="questions"'), state);
        continue;
      }
      for (const { question, answer } of questions) {
        t.true(
          html.includes(
            `<details><summary>${escaped(question)}</summary><p>${escaped(answer)}</p></details>`,
          ),
        );
      }
      const link = `<a href="${escaped(video)}" target="_blank" rel="noopener noreferrer">`;
      t.true(html.includes(`${link}${texts.video} (video.example)</a>`), `${state} ${language}`);
      t.true(html.includes(`<h2 id="questions">${texts.questions}</h2>`));
      t.true(html.indexOf('id="questions"') < html.indexOf('<footer'));
    }
  }
  t.false(renderCheckout(pageOf('open')).includes('id="questions"'));
});
