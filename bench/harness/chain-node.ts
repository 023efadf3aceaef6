/**
 * A node of the benchmark's chain, in a process of its own, which answers everything 1 ms after it was asked;
 * and beside it one that takes every question and answers none. Its argument is the wallet that every
 * transfer goes to; the first line that it prints is their ports. What it was asked it tells when asked.
 */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { TRANSFER_TOPIC, USDT } from '../../test/helpers/outside/chain-token.js';
import { CHAIN_ID, heightAt, hex, secondsOf, transferOf, VOTING_BLOCKS } from './chain.js';

/** From the parent. */
export type Told =
  /** From now on no further block becomes final, or all but the newest are again. */
  { readonly finality: 'stalls' | 'goes on' } | 'what were you asked?';

/** To the parent, since it last asked. */
export interface WasAsked {
  readonly requests: number;
  readonly questions: number;
  /** Of all bodies. */
  readonly bytes: number;
  /** That were opened. */
  readonly connections: number;
}

export interface Ports {
  readonly well: number;
  readonly dead: number;
}

interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const ANSWER_MS = 1;
/** Half of every real receipt, and nothing to anybody here. */
const BLOOM = `0x${'00'.repeat(256)}`;
const PAYER = hex(0xc0ffee, 40);

const [, , wallet = ''] = process.argv;
let stalledAt = Number.POSITIVE_INFINITY;
const NOTHING: WasAsked = { requests: 0, questions: 0, bytes: 0, connections: 0 };
let asked = NOTHING;

function block(height: number) {
  return {
    number: `0x${hex(height, 1)}`,
    hash: blockHash(height),
    timestamp: `0x${hex(secondsOf(height), 1)}`,
  };
}

function blockHash(height: number): string {
  return `0x${hex(height, 64)}`;
}

function heightOf(name: unknown): number {
  const latest = heightAt(Date.now());
  if (name === 'latest') return latest;
  return name === 'finalized' ? Math.min(latest - VOTING_BLOCKS, stalledAt) : Number(name);
}

function receipt(hash: string) {
  const { units, block: height } = transferOf(hash);
  if (units === 0n || height > heightAt(Date.now())) return null;
  const place = { blockNumber: `0x${hex(height, 1)}`, blockHash: blockHash(height), transactionHash: hash };
  const topics = [TRANSFER_TOPIC, `0x${PAYER.padStart(64, '0')}`, `0x${wallet.slice(2).padStart(64, '0')}`];
  const log = {
    address: USDT,
    topics,
    data: `0x${hex(units, 64)}`,
    ...place,
    logIndex: '0x7',
    removed: false,
  };
  const gas = { cumulativeGasUsed: '0x5208', gasUsed: '0x5208', effectiveGasPrice: '0x2faf080' };
  const parties = { from: `0x${PAYER}`, to: USDT, contractAddress: null };
  return { ...place, ...parties, ...gas, status: '0x1', type: '0x0', logsBloom: BLOOM, logs: [log] };
}

function answer({ id, method, params }: Question) {
  const result = () => {
    if (method === 'eth_chainId') return `0x${hex(CHAIN_ID, 1)}`;
    return method === 'eth_getTransactionReceipt' ? receipt(String(params[0])) : block(heightOf(params[0]));
  };
  return { jsonrpc: '2.0', id, result: result() };
}

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  server.on('connection', () => {
    asked = { ...asked, connections: asked.connections + 1 };
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const well = await listen((request, response) => {
  void Promise.all([text(request), sleep(ANSWER_MS)]).then(([body]) => {
    const sent = JSON.parse(body) as Question | Question[];
    const questions = [sent].flat();
    asked = {
      ...asked,
      requests: asked.requests + 1,
      questions: asked.questions + questions.length,
      bytes: asked.bytes + body.length,
    };
    const answers = questions.map(answer);
    const said = JSON.stringify(Array.isArray(sent) ? answers : answers[0]);
    response.setHeader('content-type', 'application/json');
    response.end(said);
  });
});
const dead = await listen((request) => void request.resume());

process.on('message', (told: Told) => {
  if (told === 'what were you asked?') {
    process.send?.(asked);
    asked = NOTHING;
  } else {
    stalledAt = told.finality === 'stalls' ? heightOf('finalized') : Number.POSITIVE_INFINITY;
  }
});
process.on('disconnect', () => process.exit(0));
process.stdout.write(`${JSON.stringify({ well, dead } satisfies Ports)}\n`);
