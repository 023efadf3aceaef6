/** A customer's browser, as far as the checkout page needs one without a script: cookies and forms. */

import { type Agent, request as httpsRequest } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import type { Ask, Reply } from './client.js';

export interface Customer {
  /** Pays by mfs_a: pastes a transaction id. */
  claim(transactionId: string): Promise<void>;
  /** Says that the money went to the bank account. */
  bank(reference: string): Promise<void>;
  cancel(): Promise<void>;
  /** @returns where the page leads back to; null while it does not */
  wayBack(): Promise<URL | null>;
}

interface Answered extends Reply {
  readonly cookies: readonly string[];
}

/** One request over HTTPS, redirects not followed. */
export async function call(agent: Agent, url: string, ask: Ask): Promise<Answered> {
  const { method = 'GET', headers = {}, body = '' } = ask;
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    httpsRequest(url, { agent, method, headers }, resolve).on('error', reject).end(body);
  });
  const text = await textOf(response);
  return { status: response.statusCode ?? 0, text, cookies: response.headers['set-cookie'] ?? [] };
}

/** One address may send few such forms at once, and all customers here have the same one. */
let lastUpload: Promise<void> = Promise.resolve();

/** @param link of the checkout page. */
export function openCustomer(agent: Agent, link: string): Customer {
  const jar = new Map<string, string>();
  const visit = async (url: string, ask: Ask = {}): Promise<string> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const { status, text, cookies } = await call(agent, url, { ...ask, headers: { ...ask.headers, cookie } });
    for (const line of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    if (status >= 400) throw new Error(`${ask.method ?? 'GET'} ${url}: ${status}`);
    return text;
  };
  const submit = async (form: string, fields: Readonly<Record<string, string>>): Promise<void> => {
    const [, token = ''] = /name="token" value="([\w-]{43})"/.exec(await visit(link)) ?? [];
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ ...fields, token }).toString();
    await visit(`${link}/${form}`, { method: 'POST', headers, body });
  };
  return {
    claim: (transactionId) => submit('claim', { method: 'mfs_a', transaction_id: transactionId }),
    bank: (reference) => {
      const sent = lastUpload.then(() => submit('bank', { reference }));
      lastUpload = sent.catch(() => {});
      return sent;
    },
    cancel: () => submit('cancel', {}),
    wayBack: async () => {
      const [, href] = /<a id="back" class="button" href="([^"]+)"/.exec(await visit(link)) ?? [];
      return href === undefined ? null : new URL(href.replaceAll('&amp;', '&'));
    },
  };
}
