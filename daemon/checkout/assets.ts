/** What the checkout page is served with: its style, which is inlined and known by its hash, and its script. */
import { createHash } from 'node:crypto';

const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes);

export const STYLE = 'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:auto;padding:1rem}';

/** The source expression by which the Content-Security-Policy allows the inlined style. */
export const STYLE_HASH = `'sha256-${hash(STYLE).digest('base64')}'`;

const body = Buffer.from("'use strict';\n");

/** The page's script. Its name holds its content's hash, so that it can be cached for ever. */
export const SCRIPT: { readonly name: string; readonly body: Buffer } = {
  name: `checkout-${hash(body).digest('hex').slice(0, 16)}.js`,
  body,
};
