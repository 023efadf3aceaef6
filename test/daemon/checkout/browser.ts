/**
 * A browser without a screen: it keeps cookies as a browser does, follows no redirect, and fills in the forms
 * of the page it has loaded.
 */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { createSession, type HostedReturn } from '../../../src/actions/sessions/create-session.js';
import { type Api, openApi } from '../api.js';

export const PAGES = '/api/execute';

export interface Visit {
  readonly headers?: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly payload?: string | Buffer;
}

export interface Browser {
  /** Cookies by name and path, as `name path`. */
  readonly cookies: Map<string, string>;
  visit(path: string, visit?: Visit): Promise<LightMyRequestResponse>;
  /** The token in the forms of a page that was loaded with `visit`. */
  tokenOf(path: string): Promise<string>;
  /** Sends a form of plain fields, with the page's own token unless told otherwise. */
  submit(
    page: string,
    form: 'claim' | 'cancel' | 'bank' | 'ask' | 'play' | 'quote',
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
  /** Sends the form of a bank transfer as browsers do; an empty `slip` stands for no choice. */
  upload(
    page: string,
    fields: Readonly<Record<string, string>>,
    slip?: Buffer,
  ): Promise<LightMyRequestResponse>;
}

export function openBrowser(app: FastifyInstance): Browser {
  const cookies = new Map<string, string>();
  const sentTo = (path: string) =>
    [...cookies]
      .filter(([key]) => path.startsWith(key.split(' ')[1] ?? '/'))
      .map(([key, value]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');
  const keep = (header: string | readonly string[] | undefined) => {
    for (const line of [header ?? []].flat()) {
      const [, name = '', value = '', path = '/'] = /^([^=]+)=([^;]*); Path=([^;]*)/.exec(line) ?? [];
      cookies.set(`${name} ${path}`, value);
    }
  };
  const visit = async (path: string, options: Visit = {}) => {
    const cookie = sentTo(path);
    const response = await app.inject({
      method: 'GET',
      url: path,
      ...options,
      headers: { host: 'pay.example.com', ...(cookie === '' ? {} : { cookie }), ...options.headers },
    });
    keep(response.headers['set-cookie']);
    return response;
  };
  const tokenOf = async (page: string) =>
    /name="token" value="([\w-]{43})"/.exec((await visit(page)).body)?.[1] ?? '';
  return {
    cookies,
    visit,
    tokenOf,
    async submit(page, form, fields = {}, headers = {}) {
      const token = fields.token ?? (await tokenOf(page));
      const payload = new URLSearchParams({ ...fields, token }).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return visit(`${page}/${form}`, { method: 'POST', payload, headers: { ...type, ...headers } });
    },
    async upload(page, fields, slip = Buffer.alloc(0)) {
      const token = fields.token ?? (await tokenOf(page));
      const { payload, headers } = multipart({ token, ...fields }, slip);
      return visit(`${page}/bank`, { method: 'POST', payload, headers });
    },
  };
}

export function multipart(fields: Readonly<Record<string, string>>, slip: Buffer) {
  const boundary = '----WebKitFormBoundaryx7f';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="slip"; filename="slip.png"\r\nContent-Type: image/png\r\n\r\n`;
  const payload = Buffer.concat([
    Buffer.from(parts.join('') + file),
    slip,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return {
    payload,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(payload.length),
    },
  };
}

export const RETURN: HostedReturn = {
  successUrl: 'https://shop.example.com/done?order=7',
  cancelUrl: 'https://shop.example.com/cart',
  webhookUrl: null,
  returnType: 'GET',
};

export interface Checkout extends Api {
  readonly browser: Browser;
  /** Opens a hosted payment. @returns the path of its page. */
  open(change?: { readonly paisa?: number; readonly hosted?: Partial<HostedReturn> }): Promise<string>;
}

export async function openCheckout(...args: Parameters<typeof openApi>): Promise<Checkout> {
  const api = await openApi(...args);
  return {
    ...api,
    browser: openBrowser(api.app),
    open: async ({ paisa = 50_000, hosted = {} } = {}) => {
      const session = await createSession(api.core, {
        brand: api.shop.brand,
        hosted: { ...RETURN, ...hosted },
        cusName: 'Customer',
        cusEmail: '',
        amountPaisa: paisa,
        metaJson: null,
      });
      return `${api.core.settings.basePath}${PAGES}/${session.id}`;
    },
  };
}

/** The state that the page says it is in. */
export function stateOf(response: LightMyRequestResponse): string {
  return /data-state="(\w+)"/.exec(response.body)?.[1] ?? 'no state';
}
