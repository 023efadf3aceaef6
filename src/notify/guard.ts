/**
 * The guard: which addresses a notification is really sent to. It judges the URL, then what its name resolves
 * to, once, and returns the judged addresses, so that a second look-up cannot give another answer
 * (rebinding).
 */
import { codeOf } from '../base/io/net-failure.js';
import { isPublicAddress, literalOf, webhookFault } from '../domain/notifications/address.js';
import { inSeconds, type Verdict } from './outcome.js';
import type { Resolve } from './resolve.js';

export interface Question {
  readonly url: string;
  /** The setting `allowPrivateWebhooks`. */
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

export type Judgement =
  | { readonly address: URL; readonly ips: readonly string[] }
  | { readonly refusal: Verdict };

export async function judge(question: Question): Promise<Judgement> {
  const { url, allowPrivate } = question;
  if (!URL.canParse(url)) return blocked('the address is not a URL');
  const address = new URL(url);
  const fault = webhookFault(address, allowPrivate);
  if (fault !== null) {
    const isCurable = webhookFault(address, true) === null;
    return blocked(`the address ${fault}${isCurable ? `; ${FOR_DEVELOPMENT}` : ''}`);
  }
  const literal = literalOf(address.hostname);
  if (literal !== null) return { address, ips: [literal] };
  return judgeName(question, address);
}

const FOR_DEVELOPMENT = 'KASHBOX_ALLOW_PRIVATE_WEBHOOKS=true is for development';
const UNKNOWN_NAME = new Set(['ENOTFOUND', 'ENODATA']);

async function judgeName(question: Question, address: URL): Promise<Judgement> {
  const { allowPrivate, signal, deadlineMs } = question;
  const name = address.hostname;
  let ips: readonly string[];
  try {
    ips = await Promise.race([question.resolve(name, signal), abortOf(signal)]);
  } catch (error) {
    if (signal.aborted) {
      const detail = `no DNS answer for the name ${name} within ${inSeconds(deadlineMs)}`;
      return { refusal: { outcome: 'timeout', detail } };
    }
    return UNKNOWN_NAME.has(codeOf(error))
      ? unreachable(`the name ${name} is not known`)
      : unreachable(`the name ${name} could not be looked up (${codeOf(error)})`);
  }
  if (ips.length === 0) return unreachable(`the name ${name} is not known`);
  // One bad address refuses all: mixed public and private answers only occur in attacks.
  const bad = allowPrivate ? undefined : ips.find((ip) => !isPublicAddress(ip));
  if (bad === undefined) return { address, ips };
  const why = 'a private or reserved address, which is never called';
  return blocked(`${name} resolves to ${bad}, ${why}; ${FOR_DEVELOPMENT}`);
}

function blocked(detail: string): Judgement {
  return { refusal: { outcome: 'blocked', detail } };
}

function unreachable(detail: string): Judgement {
  return { refusal: { outcome: 'unreachable', detail } };
}

/** Rejects when the signal aborts. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')), { once: true });
  });
}
