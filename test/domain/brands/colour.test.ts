/** Any colour that an operator names can be seen on the page and read on, by day and by night. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import fc from 'fast-check';
import {
  BACKGROUND_COLOURS,
  contrast,
  deriveShades,
  parseColour,
} from '../../../src/domain/brands/colour.js';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);

test('a colour is six or three hex digits, with or without their sign', (t) => {
  for (const typed of ['#0a7', '0A7', ' #00AA77 ', '00aa77']) t.is(parseColour(typed), '#00aa77', typed);
  for (const typed of ['', '#', '#0a', '#0a77', '#00aa777', 'red', 'rgb(0,0,0)', '#00aa7g', '#০০০']) {
    t.is(parseColour(typed), null, typed);
  }
});

test('contrast is computed as in WCAG', (t) => {
  t.is(contrast('#000000', '#ffffff'), 21);
  t.is(contrast('#777777', '#777777'), 1);
  t.is(contrast('#767676', '#ffffff').toFixed(2), '4.54');
  t.is(contrast('#ffffff', '#ff0000').toFixed(2), '4.00');
});

test('every colour has shades with a contrast of at least 4.5 to the page and 4.5 to text on them', (t) => {
  fc.assert(
    fc.property(colour, (given) => {
      const shades = deriveShades(given);
      for (const mode of ['light', 'dark'] as const) {
        const { colour: shade, text } = shades[mode];
        if (!/^#[0-9a-f]{6}$/.test(shade) || !['#ffffff', '#000000'].includes(text)) return false;
        if (contrast(shade, text) < 4.5) return false;
        if (BACKGROUND_COLOURS[mode].some((ground) => contrast(shade, ground) < 4.5)) return false;
        // What can be seen already is left as it is, and a shade is its own.
        const isSeen = BACKGROUND_COLOURS[mode].every((ground) => contrast(given, ground) >= 4.5);
        if (isSeen && shade !== given) return false;
        if (deriveShades(shade)[mode].colour !== shade) return false;
      }
      return true;
    }),
    { numRuns: 3_000 },
  );
  t.pass();
});

test('a light colour is darkened by day alone, a dark one lightened by night alone', (t) => {
  const [yellow, navy] = [deriveShades('#ffcc00'), deriveShades('#001a4d')];
  t.is(yellow.dark.colour, '#ffcc00');
  t.is(yellow.dark.text, '#000000');
  t.true(contrast(yellow.light.colour, '#eef1f4') < 4.7, 'no darker than it must be');
  t.is(navy.light.colour, '#001a4d');
  t.is(navy.light.text, '#ffffff');
  t.true(contrast(navy.dark.colour, '#1b232b') < 4.7, 'no lighter than it must be');
});

test('the grounds are those of the page', (t) => {
  // Paper is white, on which every shade for the day is seen.
  const [style = ''] = readFileSync('daemon/checkout/style.css', 'utf8').split('@media print');
  const grounds = ['paper', 'ground'].map((name) =>
    [...style.matchAll(new RegExp(`--${name}: (#[0-9a-f]+);`, 'g'))].map(([, value = '']) =>
      parseColour(value),
    ),
  );
  t.deepEqual(grounds, [
    [BACKGROUND_COLOURS.light[0], BACKGROUND_COLOURS.dark[0]],
    [BACKGROUND_COLOURS.light[1], BACKGROUND_COLOURS.dark[1]],
  ]);
});
