/**
 * HTTPS as the demo speaks it: one call of a server, and the customer's browser, without script: it keeps
 * cookies, sends the forms of the pages that it has, and follows where they lead. Knows HTML only as far as
 * the checkout page needs it.
 */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { KashboxError } from '../base/errors/errors.js';

const DEADLINE_MS = 10_000;

/** Adds a trusted certificate for this process. @param certificate PEM */
export function trustCertificate(certificate: string): void {
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
}

/** @returns status, headers, text and duration in ms. @throws KashboxError `daemon_unreachable` */
export async function call(method: 'GET' | 'POST', url: string, options: Omit<RequestInit, 'method'>) {
  const started = performance.now();
  const late = AbortSignal.timeout(DEADLINE_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, late]) : late;
  try {
    const answer = await fetch(url, { ...options, method, signal, redirect: 'manual' });
    const { status, headers } = answer;
    return { status, headers, text: await answer.text(), ms: performance.now() - started };
  } catch (cause) {
    const why = late.aborted ? `no answer within ${DEADLINE_MS / 1000} s` : reasonOf(cause);
    const message = `${method} ${new URL(url).pathname} got no answer: ${why}`;
    throw new KashboxError('daemon_unreachable', { message, cause });
  }
}

/** Returns the message of the cause, which is more precise for a failed fetch. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

export interface WebPage {
  readonly url: string;
  readonly status: number;
  readonly html: string;
  readonly ms: number;
}

export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly signal: AbortSignal) {}

  /** Follows redirects, as from a form that was sent. */
  async open(url: string): Promise<WebPage> {
    return this.send('GET', url);
  }

  /** Fills in the first form whose action ends with `action`, and submits it with its hidden fields. */
  async submit(page: WebPage, action: string, fields: Readonly<Record<string, string>>): Promise<WebPage> {
    const form = formWith(page.html, action);
    const body = new URLSearchParams({ ...hiddenFields(form), ...fields });
    return this.send('POST', new URL(attribute(form, 'action') ?? '', page.url).href, body);
  }

  /**
   * Opens a stream of events, as the script of a page does. @returns once the server has answered: `heard`
   * resolves when that event comes, and rejects when the stream ends without it.
   */
  async listen(url: string, event: string): Promise<{ readonly heard: Promise<void> }> {
    const headers = { ...this.headers(), accept: 'text/event-stream' };
    const { body } = await fetch(url, { headers, signal: this.signal });
    return { heard: hearing(Readable.fromWeb(body ?? new ReadableStream()), event) };
  }

  private async send(method: 'GET' | 'POST', url: string, body?: URLSearchParams): Promise<WebPage> {
    const headers = { ...this.headers(), accept: 'text/html' };
    const { signal } = this;
    const reply = await call(method, url, { headers, signal, ...(body === undefined ? {} : { body }) });
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = reply.headers.get('location');
    if (location !== null) return this.open(new URL(location, url).href);
    return { url, status: reply.status, html: reply.text, ms: reply.ms };
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

/** @returns the URL of a page's refresh, or null. */
export function findRefreshUrl(html: string): string | null {
  const [tag = ''] = /<meta[^>]*http-equiv="refresh"[^>]*>/i.exec(html) ?? [];
  const [, url = null] = /^\d+;\s*url=(.*)$/i.exec(attribute(tag, 'content') ?? '') ?? [];
  return url;
}
