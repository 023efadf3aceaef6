/** Is the server there, is it the right one, and does it know this phone? Asked without leaving a trace. */

import { readVerdict, type Verdict } from '../../core/sync/server-answer.js';
import { REQUEST_DEADLINE_MS } from '../../core/sync/server-calls.js';
import { nodeClock, nodeSeal } from '../../ports/node-clock.js';
import type { Config } from '../../ports/node-home.js';
import { NodeHttp } from '../../ports/node-http.js';

export type Probe =
  | { readonly kind: 'well' }
  /** The key is dead: rotated or revoked. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'untrusted'; readonly reason: string }
  /** Something answers, and not as the server does when it is well. */
  | { readonly kind: 'unwell'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Brings no SMS. Not by a sync: that would be handed the SMS which the running agent is to send. */
export async function probe(config: Config): Promise<Probe> {
  const http = new NodeHttp(config.url, config.trust);
  const request = {
    path: '/api/v2/relay/sms',
    headers: { 'content-type': 'application/json', 'device-key': config.deviceKey },
    body: '{"messages":[]}',
    deadlineMs: REQUEST_DEADLINE_MS,
    maxAnswerBytes: 64 * 1024,
  };
  const reply = await http.post(request, new AbortController().signal).finally(() => http.close());
  const asked = { sent: [], seal: (text: string) => nodeSeal(config.deviceKey, text) };
  return judge(readVerdict(reply, asked, nodeClock.now()));
}

function judge(verdict: Verdict): Probe {
  switch (verdict.kind) {
    case 'accepted':
      return { kind: 'well' };
    case 'unpaired':
      return { kind: 'refused' };
    case 'unreachable':
    case 'untrusted':
      return verdict;
    case 'failed':
    case 'too_large':
      return { kind: 'unwell', reason: verdict.reason };
    default:
      return verdict satisfies never;
  }
}
