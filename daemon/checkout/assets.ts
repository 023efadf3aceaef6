/** What the checkout page is served with: its style, inlined and known by its hash, and its script. */
import { createHash } from 'node:crypto';
import { WALLETS } from '../../src/domain/wallets/index.js';
import { readBuilt } from './built.js';

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
