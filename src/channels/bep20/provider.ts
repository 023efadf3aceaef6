/**
 * ethers' JSON-RPC queue over our own bounded call: ethers' fetch has no total deadline, repeats a 429 at
 * once and leaves sockets behind. Knows nothing of what is asked; whatever a node does wrong is a
 * NodeFaultError.
 */
import {
  JsonRpcApiProvider,
  type JsonRpcError,
  type JsonRpcPayload,
  type JsonRpcResult,
  Network,
} from 'ethers/providers';
import { fieldsOf } from '../../base/values/fields.js';
import { callHttp } from '../http.js';
import { answerTo, errorIn, malformed, nodeFault, readJson } from './faults.js';
import type { ChainNode } from './types.js';

/** What one payment takes: a receipt of a payout to a thousand may have most of a megabyte. */
const FEW_QUESTIONS = 4;
const MAX_FEW_BYTES = 1_048_576;
/** Fifty ordinary receipts are 200 KB. */
const MAX_ANSWER_BYTES = 4_194_304;
const MAX_BATCH = 100;
const HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/** They never repeat within a process, so that an answer to another question is known by its id. */
let nextId = 1;

/** For one conversation with one node. It holds nothing open and needs no end. */
export class BoundedProvider extends JsonRpcApiProvider {
  readonly #url: URL;
  readonly #deadlineMs: number;
  readonly #now: () => number;
  readonly #startedAt = performance.now();

  /**
   * @param chainId taken for granted here, so that ethers asks nothing by itself.
   * @param limits.deadlineMs for everything that is asked through this provider.
   * @param limits.now milliseconds since the epoch.
   */
  constructor(
    node: ChainNode,
    chainId: number,
    { deadlineMs, now }: { readonly deadlineMs: number; now(): number },
  ) {
    const network = new Network('chain', chainId);
    super(network, {
      staticNetwork: network,
      batchStallTime: 0,
      batchMaxCount: node.batches ? MAX_BATCH : 1,
      cacheTimeout: -1,
    });
    this.#url = new URL(node.url);
    this.#deadlineMs = deadlineMs;
    this.#now = now;
    this._start();
  }

  override async _send(
    payload: JsonRpcPayload | JsonRpcPayload[],
  ): Promise<Array<JsonRpcResult | JsonRpcError>> {
    const asked = [payload].flat();
    const first = nextId;
    nextId += asked.length;
    const numbered = asked.map((question, index) => ({ ...question, id: first + index }));
    const value = await this.#exchange(
      JSON.stringify(Array.isArray(payload) ? numbered : numbered[0]),
      asked.length <= FEW_QUESTIONS ? MAX_FEW_BYTES : MAX_ANSWER_BYTES,
    );
    const answers = Array.isArray(payload) ? value : [value];
    if (!Array.isArray(answers)) throw errorIn(value) ?? malformed('one answer to several questions');
    return asked.map(({ id }, index) => {
      const { result, error } = fieldsOf(answerTo(first + index, answers));
      return error === undefined || error === null ? { id, result } : { id, error: fieldsOf(error) };
    }) as Array<JsonRpcResult | JsonRpcError>;
  }

  override getRpcError(_payload: JsonRpcPayload, answer: JsonRpcError): Error {
    return errorIn(answer) ?? malformed('an error without a code');
  }

  async #exchange(body: string, maxBytes: number): Promise<unknown> {
    const left = this.#deadlineMs - (performance.now() - this.#startedAt);
    const result = await callHttp({
      method: 'POST',
      url: this.#url,
      headers: HEADERS,
      body,
      deadlineMs: Math.max(1, left),
      maxBytes,
    });
    if (result.outcome === 'failed') {
      throw nodeFault(result.kind === 'stopped' ? 'timeout' : result.kind, result.detail);
    }
    return readJson(result.status, result.headers, result.text, this.#now());
  }
}
