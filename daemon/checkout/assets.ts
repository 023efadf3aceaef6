/**
 * Assets that the build produces: style and browser script (inlined, allowed by their hashes), and the
 * templates, compiled once at startup. Templates escape all that they print. `<%~ %>` does not escape; it is
 * used only for the output of other templates, style and script.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Eta } from 'eta/core';
import { WALLETS } from '../../src/domain/wallets/index.js';
import type { BadgeShape } from '../../src/domain/wallets/wallet.js';

/** Folder of the built files. When run from the sources, the files of the last build are used. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/daemon/checkout/' : './',
  import.meta.url,
);

/**
 * @param name path inside the checkout's folder.
 * @throws where the file is missing, which is so after a bare `tsc` on a fresh clone.
 */
export function loadAsset(name: string): Buffer {
  try {
    return readFileSync(new URL(name, folder));
  } catch (cause) {
    throw new Error(`The checkout page's ${name} is not built. Run "npm run build".`, { cause });
  }
}

/** @returns the source expression by which the Content-Security-Policy allows an inlined text. */
export function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Radii of the corners, from the upper left one on. */
const CORNERS: Readonly<Record<BadgeShape, string>> = {
  drop: '50% 50% 50% 4px',
  circle: '50%',
  arch: '50% 50% 4px 4px',
  shield: '4px 4px 50% 50%',
  leaf: '4px 50%',
};

/** CSS for the coloured shape behind the mark on each wallet's card. */
const MARKS = WALLETS.map(
  ({ channel, checkout: { colour, shape } }) =>
    `.${channel} .mark{background:${colour};border-radius:${CORNERS[shape]}}`,
);

export const STYLE = [loadAsset('style.css').toString('utf8').trim(), ...MARKS].join('');

/** Content-Security-Policy source expression that allows the inlined style. */
export const STYLE_HASH = cspHash(STYLE);

/** Script of the page, inlined: on a bad network a second request could be lost. */
export const SCRIPT = loadAsset('client/main.js').toString('utf8').trim();

/** Content-Security-Policy source expression that allows the script. */
export const SCRIPT_HASH = cspHash(SCRIPT);

/** Style and script that only pages of payment links have. */
export const LINK_ASSETS = {
  style: loadAsset('link.css').toString('utf8').trim(),
  script: loadAsset('client/link.js').toString('utf8').trim(),
};

/** Content-Security-Policy source expressions that allow them. */
export const LINK_HASHES = { style: cspHash(LINK_ASSETS.style), script: cspHash(LINK_ASSETS.script) };

/** Style and script that only counter displays have. */
export const DISPLAY_ASSETS = {
  style: loadAsset('display.css').toString('utf8').trim(),
  script: loadAsset('client/display.js').toString('utf8').trim(),
};

export const DISPLAY_HASHES = {
  style: cspHash(DISPLAY_ASSETS.style),
  script: cspHash(DISPLAY_ASSETS.script),
};

/** Templates of complete pages. They include the templates of `PARTS`. */
const PAGES = ['document', 'checkout', 'link', 'display', 'notice'] as const;
const PARTS = [
  'shop',
  'items',
  'status',
  'ask',
  'back',
  'ways',
  'way',
  'cards',
  'play',
  'bank',
  'quote',
  'slip',
  'field',
  'ticket',
  'code',
  'questions',
  'help',
];

const eta = new Eta({ autoTrim: false });
for (const name of [...PAGES, ...PARTS]) {
  const template = loadAsset(`templates/${name}.eta`).toString('utf8');
  // Removes white space that is there for readers. Line breaks stay: they separate words.
  eta.loadTemplate(`@${name}`, template.replace(/\n\s+/g, '\n'));
}

/** @param context values that the template prints; they are not validated here. @returns HTML. */
export function render(name: (typeof PAGES)[number], context: object): string {
  return eta.render(`@${name}`, context);
}
