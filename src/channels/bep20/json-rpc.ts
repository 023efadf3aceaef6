/**
 * Sends JSON-RPC requests to one node and classifies the node's faults. Does not know the methods. The node's
 * own text is never passed on: it may repeat the node's URL, which contains a key.
 */
import { parseRetryAfter } from '../../base/io/retry-after.js';
import { asRecord, parseJson } from '../../base/values/fields.js';
import { callHttp } from '../http.js';
import type { ChainNode, NodeFault, NodeFaultKind } from './types.js';

/** Number of queries per payment; the receipt of a payout to a thousand addresses can have almost 1 MB. */
const FEW_QUESTIONS = 4;
const MAX_FEW_BYTES = 1_048_576;
/** Fifty ordinary receipts are 200 KB. */
const MAX_ANSWER_BYTES = 4_194_304;
const HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

type RpcQuestion = readonly [method: string, ...params: unknown[]];

/** Sends all queries together. @returns an answer for each query, in their order. @throws NodeFaultError */
export type AskRpc = (questions: readonly RpcQuestion[]) => Promise<RpcAnswer[]>;

export type RpcAnswer =
  | { readonly outcome: 'result'; readonly result: unknown }
  /** Error of this query alone. */
  | { readonly outcome: 'error'; readonly error: NodeFaultError };

/** They never repeat within a process, so that an answer to another question is known by its id. */
let nextId = 1;

/** Creates a client for one series of requests to a node; `deadlineMs` limits all of them together. */
export function createRpc(
  node: ChainNode,
  { deadlineMs, now }: { deadlineMs: number; now(): number },
): AskRpc {
  const url = new URL(node.url);
  const startedAt = performance.now();

  const exchange = async (body: unknown, maxBytes: number): Promise<unknown> => {
    const result = await callHttp({
      method: 'POST',
      url,
      headers: HEADERS,
      body: JSON.stringify(body),
      deadlineMs: Math.max(1, deadlineMs - (performance.now() - startedAt)),
      maxBytes,
    });
    if (result.outcome === 'failed') throw nodeFault(result.kind, result.detail);
    return parseRpcResponse(result.status, result.headers, result.text, now());
  };

  const askTogether = async (questions: readonly RpcQuestion[]): Promise<RpcAnswer[]> => {
    const first = nextId;
    nextId += questions.length;
    const numbered = questions.map(([method, ...params], index) => {
      return { jsonrpc: '2.0', id: first + index, method, params };
    });
    const isAlone = numbered.length === 1;
    const maxBytes = numbered.length <= FEW_QUESTIONS ? MAX_FEW_BYTES : MAX_ANSWER_BYTES;
    const value = await exchange(isAlone ? numbered[0] : numbered, maxBytes);
    const answers = isAlone ? [value] : value;
    if (!Array.isArray(answers)) throw parseRpcError(value) ?? malformed('one answer to several questions');
    return numbered.map(({ id }) => {
      const answer = answerTo(id, answers);
      const error = parseRpcError(answer);
      return error === null
        ? { outcome: 'result', result: asRecord(answer).result }
        : { outcome: 'error', error };
    });
  };

  return async (questions) => {
    if (questions.length === 0) return [];
    if (node.batches) return askTogether(questions);
    // All of them have ended before the first failure is passed on, so that none is left unhandled.
    const ended = await Promise.allSettled(questions.map((question) => askTogether([question])));
    return ended.flatMap((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  };
}

/** "Limit exceeded" of public nodes. */
const LIMIT_EXCEEDED = -32005;

export class NodeFaultError extends Error {
  constructor(readonly fault: NodeFault) {
    super(fault.detail);
  }
}

export function nodeFault(kind: NodeFaultKind, detail: string): NodeFaultError {
  return new NodeFaultError({ kind, detail });
}

export function malformed(detail: string): NodeFaultError {
  return nodeFault('malformed', detail);
}

/**
 * @param now milliseconds since the epoch.
 * @returns the parsed JSON of an answer with status 200.
 * @throws NodeFaultError for every other status: the JSON-RPC error in the body if there is one, because
 * nodes send errors with status 200, 400 or 500.
 */
export function parseRpcResponse(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  now: number,
): unknown {
  if (status === 429) throw rateLimited('answered 429', parseRetryAfter(headers['retry-after'], now));
  const value = parseJson(text);
  if (status === 200) {
    if (value === undefined) throw nodeFault('not_json', 'answered 200 with something that is not JSON');
    return value;
  }
  throw parseRpcError(value) ?? nodeFault('http_status', `answered ${status}`);
}

function rateLimited(detail: string, seconds: number | null): NodeFaultError {
  const told = seconds === null ? {} : { retryAfterMs: seconds * 1_000 };
  return new NodeFaultError({ kind: 'rate_limited', detail, ...told });
}

/** @returns the error of one JSON-RPC answer, or null where it speaks of none. */
export function parseRpcError(answer: unknown): NodeFaultError | null {
  const { error } = asRecord(answer);
  if (error === undefined || error === null) return null;
  const { code } = asRecord(error);
  if (typeof code !== 'number') return malformed('an error without a code');
  const detail = `answered with JSON-RPC error ${code}`;
  return code === LIMIT_EXCEEDED ? rateLimited(detail, null) : nodeFault('rpc_error', detail);
}

/** The answer to the question of that id. @throws NodeFaultError */
export function answerTo(id: number, answers: readonly unknown[]): unknown {
  const own = answers.filter((answer) => asRecord(answer).id === id);
  const [answer] = own;
  if (answer === undefined || own.length > 1) {
    throw errorWithoutId(answers) ?? nodeFault('wrong_id', 'answered another question than was asked');
  }
  const { result, error } = asRecord(answer);
  if (result === undefined && (error === undefined || error === null)) {
    throw malformed('neither a result nor an error');
  }
  return answer;
}

/** Error of an answer without id: the node could not parse the request (JSON-RPC 2.0, 5). */
function errorWithoutId(answers: readonly unknown[]): NodeFaultError | null {
  const [only] = answers;
  return answers.length === 1 && asRecord(only).id === null ? parseRpcError(only) : null;
}
