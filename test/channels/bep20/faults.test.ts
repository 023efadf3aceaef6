/** What a node did wrong, told from the bytes that it sent and never in its own words. */
import test from 'ava';
import {
  answerTo,
  NodeFaultError,
  parseRpcError,
  parseRpcResponse,
} from '../../../src/channels/bep20/json-rpc.js';
import type { NodeFault } from '../../../src/channels/bep20/types.js';

const NOW = Date.UTC(2026, 10, 21);

function faultOf(work: () => unknown): NodeFault | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof NodeFaultError) return error.fault;
    throw error;
  }
}

test('JSON under 200 is an answer; anything else is one only if it speaks of an error', (t) => {
  t.deepEqual(parseRpcResponse(200, {}, '{"id":1}', NOW), { id: 1 });
  t.like(
    faultOf(() => parseRpcResponse(200, {}, '<html>', NOW)),
    { kind: 'not_json' },
  );
  t.like(
    faultOf(() => parseRpcResponse(502, {}, '<html>', NOW)),
    { kind: 'http_status', detail: 'answered 502' },
  );
  t.like(
    faultOf(() => parseRpcResponse(201, {}, '{"result":1}', NOW)),
    { kind: 'http_status' },
  );
  t.like(
    faultOf(() => parseRpcResponse(500, {}, '{"error":{"code":-32603}}', NOW)),
    { kind: 'rpc_error' },
  );
  t.like(
    faultOf(() => parseRpcResponse(403, {}, '{"error":{"code":-32005}}', NOW)),
    { kind: 'rate_limited' },
  );
});

test('a node that is asked too much says for how long, if it says', (t) => {
  const limited = (headers: Readonly<Record<string, string>>) =>
    faultOf(() => parseRpcResponse(429, headers, '', NOW));
  t.deepEqual(limited({}), { kind: 'rate_limited', detail: 'answered 429' });
  for (const retryAfter of ['7', new Date(NOW + 7_000).toUTCString()]) {
    const fault = limited({ 'retry-after': retryAfter });
    t.deepEqual(fault, { kind: 'rate_limited', detail: 'answered 429', retryAfterMs: 7_000 });
  }
});

test('an error is named by its code, and its words are left out', (t) => {
  t.is(parseRpcError({ result: null }), null);
  t.is(parseRpcError({ result: 1, error: null }), null);
  t.is(parseRpcError(null), null);
  const error = { code: -32000, message: 'http://node.example/secret' };
  t.deepEqual(parseRpcError({ error })?.fault, {
    kind: 'rpc_error',
    detail: 'answered with JSON-RPC error -32000',
  });
  for (const odd of ['no', {}, { code: '-32000' }, 7])
    t.is(parseRpcError({ error: odd })?.fault.kind, 'malformed');
});

test('the answer to a question is the one that bears its id, once', (t) => {
  const own = { id: 7, result: null };
  t.is(answerTo(7, [{ id: 8, result: 1 }, own]), own);
  for (const answers of [[], [{ id: 8, result: 1 }], [own, own], [{ id: '7', result: 1 }], [null], ['7']]) {
    t.like(
      faultOf(() => answerTo(7, answers)),
      { kind: 'wrong_id' },
      JSON.stringify(answers),
    );
  }
  t.like(
    faultOf(() => answerTo(7, [{ id: 7 }])),
    { kind: 'malformed' },
  );
  t.like(
    faultOf(() => answerTo(7, [{ id: 7, error: null }])),
    { kind: 'malformed' },
  );
});

test('an error without an id applies to the complete request', (t) => {
  const refused = { id: null, error: { code: -32600 } };
  t.like(
    faultOf(() => answerTo(7, [refused])),
    { kind: 'rpc_error' },
  );
  t.like(
    faultOf(() => answerTo(7, [refused, refused])),
    { kind: 'wrong_id' },
  );
});
