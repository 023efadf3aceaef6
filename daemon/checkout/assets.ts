/**
 * What the build has made of the parts that are no TypeScript of the daemon's: the style, inlined and known
 * by its hash, the browser's script, and the templates, compiled once at start. They escape everything they
 * print. `<%~ %>` does not escape; it is used only for the output of other templates and for the style.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Eta } from 'eta/core';
import { WALLETS } from '../../src/domain/wallets/index.js';

/** From the sources (development without a build of them) the built files are those of the last build. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/daemon/checkout/' : './',
  import.meta.url,
);

/**
 * @param name path inside the checkout's folder.
 * @throws where the file is missing, which is so after a bare `tsc` on a fresh clone.
 */
export function readBuilt(name: string): Buffer {
  try {
    return readFileSync(new URL(name, folder));
  } catch (cause) {
    throw new Error(`The checkout page's ${name} is not built. Run "npm run build".`, { cause });
  }
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes);

/** Behind the mark on each wallet's card. */
const MARKS = WALLETS.map(({ channel, checkout }) => `.${channel} .mark{background:${checkout.colour}}`);

export const STYLE = [readBuilt('style.css').toString('utf8').trim(), ...MARKS].join('');

/** The source expression by which the Content-Security-Policy allows the inlined style. */
export const STYLE_HASH = `'sha256-${sha256(STYLE).digest('base64')}'`;

const body = readBuilt('client/main.js');

/** The page's script. Its name holds its content's hash, so that it can be cached for ever. */
export const SCRIPT: { readonly name: string; readonly body: Buffer } = {
  name: `checkout-${sha256(body).digest('hex').slice(0, 16)}.js`,
  body,
};

/** What is rendered, and the parts that they include. */
const PAGES = ['document', 'checkout', 'notice'] as const;
const PARTS = ['status', 'back', 'ways', 'way', 'bank', 'field', 'copy', 'code', 'help'];

const eta = new Eta({ autoTrim: false });
for (const name of [...PAGES, ...PARTS]) {
  const template = readBuilt(`templates/${name}.eta`).toString('utf8');
  // Removes white space that is there for readers. Line breaks stay: they separate words.
  eta.loadTemplate(`@${name}`, template.replace(/\n\s+/g, '\n'));
}

/** As the templates escape what they print. */
export const escaped: (text: string) => string = eta.config.escapeFunction;

/** @param context what the template prints; nothing is checked behind here. @returns HTML. */
export function render(name: (typeof PAGES)[number], context: object): string {
  return eta.render(`@${name}`, context);
}
