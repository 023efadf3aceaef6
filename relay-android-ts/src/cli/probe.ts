/** Is the server there, is it the right one, and does it know this phone? Asked without leaving a trace. */
import { REQUEST_DEADLINE_MS } from '../core/line.js';
import type { HttpReply } from '../core/ports.js';
import type { Config } from '../ports/node-home.js';
import { NodeHttp } from '../ports/node-http.js';

export type Probe =
  | { readonly kind: 'well' }
  /** The key is dead: rotated or revoked. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'untrusted'; readonly reason: string }
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
  return judge(await http.post(request, new AbortController().signal).finally(() => http.close()));
}

function judge(reply: HttpReply): Probe {
  switch (reply.kind) {
    case 'unreachable':
    case 'untrusted':
      return reply;
    case 'too_long':
      return { kind: 'unreachable', reason: 'its answer is too long' };
    case 'answered':
      if (reply.status === 200) return { kind: 'well' };
      if (reply.status === 401 || reply.status === 403) return { kind: 'refused' };
      return { kind: 'unreachable', reason: `it answers ${reply.status}` };
    default:
      return reply satisfies never;
  }
}
