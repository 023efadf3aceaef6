/**
 * Classifies a node's failure from its answer. Pure. The node's own text is never passed on: it may repeat
 * its address, which holds a key.
 */
import { retryAfterOf } from '../../base/io/retry-after.js';
import { fieldsOf, parseJson } from '../../base/values/fields.js';
import type { NodeFault, NodeFaultKind } from './types.js';

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
 * @returns what stands in an answer that is JSON, whatever its status if it speaks of an error: nodes put
 *   that under 200, 400 or 500.
 * @throws NodeFaultError
 */
export function readJson(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  now: number,
): unknown {
  if (status === 429) throw rateLimited('answered 429', retryAfterOf(headers['retry-after'], now));
  const value = parseJson(text);
  if (status === 200) {
    if (value === undefined) throw nodeFault('not_json', 'answered 200 with something that is not JSON');
    return value;
  }
  throw errorIn(value) ?? nodeFault('http_status', `answered ${status}`);
}

function rateLimited(detail: string, seconds: number | null): NodeFaultError {
  const told = seconds === null ? {} : { retryAfterMs: seconds * 1_000 };
  return new NodeFaultError({ kind: 'rate_limited', detail, ...told });
}

/** @returns the error of one JSON-RPC answer, or null where it speaks of none. */
export function errorIn(answer: unknown): NodeFaultError | null {
  const { error } = fieldsOf(answer);
  if (error === undefined || error === null) return null;
  const { code } = fieldsOf(error);
  if (typeof code !== 'number') return malformed('an error without a code');
  const detail = `answered with JSON-RPC error ${code}`;
  return code === LIMIT_EXCEEDED ? rateLimited(detail, null) : nodeFault('rpc_error', detail);
}

/**
 * The answer to the question of that id.
 * @throws NodeFaultError
 */
export function answerTo(id: number, answers: readonly unknown[]): unknown {
  const own = answers.filter((answer) => fieldsOf(answer).id === id);
  const [answer] = own;
  if (answer === undefined || own.length > 1) {
    throw errorWithoutId(answers) ?? nodeFault('wrong_id', 'answered another question than was asked');
  }
  const { result, error } = fieldsOf(answer);
  if (result === undefined && (error === undefined || error === null)) {
    throw malformed('neither a result nor an error');
  }
  return answer;
}

/** Where a node could not read the question at all, its error bears no id (JSON-RPC 2.0, 5). */
function errorWithoutId(answers: readonly unknown[]): NodeFaultError | null {
  const [only] = answers;
  return answers.length === 1 && fieldsOf(only).id === null ? errorIn(only) : null;
}
