/** A Bot API as Telegram's: it keeps updates, answers polls when it has some, and notes what it is told. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Pair } from '../network/authority.js';
import type { Owner } from '../programs/processes.js';

export const BOT_TOKEN = '123456:AAH-not_a_real_token_of_anybody_0';

export interface BotSaid {
  readonly method: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Given {
  readonly user?: number;
  readonly chat?: number;
  readonly data: string;
  readonly name?: string;
}

/** @param pair certificate and key; without it plain HTTP. */
export async function openBotApi(t: Owner, pair?: Pair) {
  const said: BotSaid[] = [];
  const updates: { update_id: number; callback_query: unknown }[] = [];
  const polls: { offset: number; response: ServerResponse }[] = [];
  /** Answers the next polls instead. */
  const instead: ((response: ServerResponse) => void)[] = [];
  let lastUpdate = 700;
  const answerPolls = () => {
    for (const poll of polls.splice(0)) {
      const news = updates.filter(({ update_id }) => update_id >= poll.offset);
      if (news.length === 0) polls.push(poll);
      else poll.response.end(JSON.stringify({ ok: true, result: news }));
    }
  };
  const listener: RequestListener = async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    const body = JSON.parse(text) as Record<string, unknown>;
    said.push({ method, body });
    response.setHeader('content-type', 'application/json');
    if (token !== BOT_TOKEN) {
      response.writeHead(401).end('{"ok":false,"error_code":401,"description":"Unauthorized"}');
    } else if (method === 'getUpdates') {
      const other = instead.shift();
      if (other !== undefined) return other(response);
      const seconds = Number(body.timeout);
      const poll = { offset: Number(body.offset), response };
      polls.push(poll);
      setTimeout(() => response.end('{"ok":true,"result":[]}'), seconds * 1_000).unref();
      answerPolls();
    } else response.end('{"ok":true,"result":true}');
  };
  const server = pair === undefined ? createServer(listener) : createSecureServer(pair, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const scheme = pair === undefined ? 'http' : 'https';
  const api = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    api,
    /** A chat that this bot writes to. */
    target: { kind: 'telegram', chat: '-1007', token: BOT_TOKEN, api, allowPrivate: false } as const,
    said,
    instead,
    /** What was said by one method. */
    by: (method: string) => said.filter((one) => one.method === method).map(({ body }) => body),
    /** Somebody presses a button below message 55. */
    press: ({ user = 42, chat = -1007, data, name = 'Rahim Uddin' }: Given) => {
      lastUpdate += 1;
      const [first_name, last_name] = name.split(' ');
      updates.push({
        update_id: lastUpdate,
        callback_query: {
          id: `q${lastUpdate}`,
          from: { id: user, is_bot: false, first_name, last_name },
          message: { message_id: 55, chat: { id: chat, type: 'group' }, text: 'asked' },
          data,
        },
      });
      answerPolls();
    },
  };
}
