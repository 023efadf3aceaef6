/**
 * The customer's browser in the demo, without script: keeps cookies, sends the forms of the pages that it
 * has, and follows where they lead. Knows HTML only as far as the checkout page needs it.
 */
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { call, type Reply } from './https.js';

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly html: string;
  readonly ms: number;
}

export class Browser {
  private readonly cookies = new Map<string, string>();

  /** @param certificate PEM, of the daemon and of the shop alike. */
  constructor(
    private readonly certificate: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Follows redirects, as from a form that was sent. */
  async open(url: string): Promise<Page> {
    return this.arrive(url, await this.send('GET', url));
  }

  /** Fills in the first form whose action ends so, and sends it with what is hidden in it. */
  async submit(page: Page, action: string, fields: Readonly<Record<string, string>>): Promise<Page> {
    const form = formWith(page.html, action);
    const body = new URLSearchParams({ ...hiddenFields(form), ...fields }).toString();
    const url = new URL(attribute(form, 'action') ?? '', page.url).href;
    return this.arrive(url, await this.send('POST', url, body));
  }

  /**
   * Opens a stream of events, as the script of a page does. @returns once the server has answered: `heard`
   * resolves when that event comes, and rejects when the stream ends without it.
   */
  listen(url: string, event: string): Promise<{ readonly heard: Promise<void> }> {
    return new Promise((resolve, reject) => {
      const headers = { ...this.headers(), accept: 'text/event-stream' };
      const asked = request(url, { ca: this.certificate, headers, signal: this.signal }, (response) => {
        resolve({ heard: hearing(response, event) });
      });
      asked.on('error', reject);
      asked.end();
    });
  }

  private async arrive(url: string, reply: Reply): Promise<Page> {
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const { location } = reply.headers;
    if (location !== undefined) return this.open(new URL(location, url).href);
    return { url, status: reply.status, html: reply.text, ms: reply.ms };
  }

  private send(method: 'GET' | 'POST', url: string, body?: string): Promise<Reply> {
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...this.headers(), accept: 'text/html', ...type };
    const { certificate, signal } = this;
    return call({ method, url, headers, ...(body === undefined ? {} : { body }), certificate, signal });
  }

  private headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { 'accept-language': 'en', ...(cookie === '' ? {} : { cookie }) };
  }
}

async function hearing(stream: Readable, event: string): Promise<void> {
  for await (const line of createInterface({ input: stream })) {
    if (line === `event: ${event}`) return;
  }
  throw new Error(`the stream ended without "${event}"`);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_all, name) => ENTITIES[name] ?? '');

/** @returns the value of an attribute in the text of a tag, or null. */
function attribute(tag: string, name: string): string | null {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag) ?? [];
  return value === undefined ? null : plain(value);
}

function formWith(html: string, action: string): string {
  for (const [form, head = ''] of html.matchAll(/<form([^>]*)>.*?<\/form>/gis)) {
    if (attribute(head, 'action')?.endsWith(action)) return form;
  }
  throw new Error(`the page has no form for ${action}`);
}

function hiddenFields(form: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input[^>]*>/gi)) {
    const name = attribute(input, 'name');
    if (name !== null && attribute(input, 'type') === 'hidden')
      fields[name] = attribute(input, 'value') ?? '';
  }
  return fields;
}

/** @returns where a page leads by itself after some seconds, or null. */
export function refreshOf(html: string): string | null {
  const [tag = ''] = /<meta[^>]*http-equiv="refresh"[^>]*>/i.exec(html) ?? [];
  const [, url = null] = /^\d+;\s*url=(.*)$/i.exec(attribute(tag, 'content') ?? '') ?? [];
  return url;
}
