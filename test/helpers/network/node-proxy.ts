/**
 * A node that can be ill: a small JSON-RPC proxy in front of a real one, which breaks its answers as it is
 * told and counts what it was asked.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ChainNode } from '../../../src/channels/bep20/types.js';
import type { Owner } from '../programs/processes.js';

interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface RpcAnswer {
  readonly id: unknown;
  readonly jsonrpc: '2.0';
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export type Illness =
  | 'none'
  | 'hang'
  | 'trickle'
  /** Half a second late, each time. */
  | 'slow'
  | 'reset'
  | 'half'
  | 'html'
  | 'huge'
  | 'wrong_id'
  | 'same_id'
  | 'no_batches'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Changes single answers. */
  | ((call: RpcCall, answer: RpcAnswer) => RpcAnswer);

export interface NodeProxy {
  readonly node: ChainNode;
  /** Takes effect with the next request. */
  be(illness: Illness): void;
  /** HTTP requests since the last time this was asked, with the methods in each. */
  asked(): string[][];
  /** Connections that are open now. */
  open(): number;
}

const SLOW_MS = 500;
const HUGE_BYTES = 100_000_000;

export async function startNodeProxy(
  t: Owner,
  behind: { readonly url: string },
  { id = 'node', batches = true } = {},
): Promise<NodeProxy> {
  let illness: Illness = 'none';
  let asked: string[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const note = (methods: string[]) => asked.push(methods);
    // What lies behind may be stopped while it is asked, at the end of a test.
    handle(behind.url, request, response, illness, note).catch(() => request.socket.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await listen(server);
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    node: { id, url: `http://127.0.0.1:${port}/v3/secret-key`, batches },
    be: (next) => {
      illness = next;
    },
    asked: () => {
      const told = asked;
      asked = [];
      return told;
    },
    open: () => sockets.size,
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function handle(
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
  illness: Illness,
  note: (methods: string[]) => void,
): Promise<void> {
  const body = await text(request).catch(() => '');
  const sent = JSON.parse(body) as RpcCall | RpcCall[];
  const isBatch = Array.isArray(sent);
  const calls = [sent].flat();
  note(calls.map(({ method }) => method));
  if (typeof illness === 'object') {
    response.writeHead(illness.status, illness.headers).end(illness.body ?? 'no');
    return;
  }
  switch (illness) {
    case 'hang':
      return;
    case 'trickle':
      trickle(response);
      return;
    case 'reset':
      request.socket.destroy();
      return;
    case 'half':
      response.writeHead(200, { 'content-length': 1_000 }).write('[{"id":');
      setTimeout(() => request.socket.destroy(), 20);
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>please log in</html>');
      return;
    case 'huge':
      flood(response);
      return;
    case 'no_batches':
      if (isBatch) {
        const error = { code: -32600, message: 'batch requests are not allowed' };
        answerJson(response, { jsonrpc: '2.0', id: null, error });
        return;
      }
      break;
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      break;
    default:
      break;
  }
  const answers = ((await relayed(url, calls)) as RpcAnswer[]).map((answer, index) => {
    const call = calls[index];
    if (illness === 'wrong_id') return { ...answer, id: Number(answer.id) + 1_000 };
    if (illness === 'same_id') return { ...answer, id: calls[0]?.id };
    return typeof illness === 'function' && call !== undefined ? illness(call, answer) : answer;
  });
  answerJson(response, isBatch ? answers : answers[0]);
}

async function relayed(url: string, calls: readonly RpcCall[]): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  });
  return answer.json();
}

function answerJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const drip = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(drip));
}

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(1_000_000, ' ');
  let left = HUGE_BYTES / chunk.length;
  const pour = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(chunk)) {
        response.once('drain', pour);
        return;
      }
    }
    response.end();
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  pour();
}

/** An answer with another result. */
export function withResult(answer: RpcAnswer, result: unknown): RpcAnswer {
  return { ...answer, result };
}

/** An error in place of an answer. */
export function withError({ id }: RpcAnswer, code: number): RpcAnswer {
  return { id, jsonrpc: '2.0', error: { code, message: 'http://node.example/secret-key says no' } };
}
