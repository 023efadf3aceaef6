/** A payment link in the browser without a screen, with its form filled in as people do. */
import type { LightMyRequestResponse } from 'fastify';
import { type CreateLink, createLink, type NewLink } from '../../../src/actions/links/links.js';
import { type Browser, type Checkout, openCheckout } from './browser.js';

export interface Links extends Checkout {
  create(more?: Partial<CreateLink>): Promise<NewLink & { readonly path: string }>;
  /** How many payments there are. */
  payments(): Promise<number>;
  /** Presses the button of a page with its own token, unless told otherwise. */
  press(
    path: string,
    fields?: Readonly<Record<string, string>>,
    by?: Browser,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export async function openLinks(...args: Parameters<typeof openCheckout>): Promise<Links> {
  const checkout = await openCheckout(...args);
  const { core, shop, browser } = checkout;
  return {
    ...checkout,
    create: async (more = {}) => {
      const base = 'https://pay.example.com';
      const asked = { brand: shop.brand.name, amount: '500', base, who: 'test', ...more };
      const link = await createLink(core, asked);
      return { ...link, path: `${core.settings.basePath}/pay/${link.id}` };
    },
    payments: async () =>
      (await core.store.read((db) => db.query.selectFrom('sessions').select('id').execute())).length,
    press: async (path, fields = {}, by = browser, headers = {}) => {
      const token = fields.token ?? (await by.tokenOf(path));
      const payload = new URLSearchParams({ ...fields, token }).toString();
      return by.visit(path, { method: 'POST', payload, headers: { ...FORM, ...headers } });
    },
  };
}

/** Where a pressed button leads. */
export const target = (response: LightMyRequestResponse) => String(response.headers.location);
