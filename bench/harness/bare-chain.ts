/**
 * The other side of the ratio of USDT payments: a bare loop over got that asks a node what a payment asks, in
 * the same requests with the same bodies over connections that are kept alike, and looks at nothing. Its
 * arguments are the address of the node and how many are under way at once; its parent sends it hashes, and
 * is told when all have been asked for.
 */
import { Agent } from 'node:http';
import got from 'got';
import { firstQuestions, lastQuestion } from './chain.js';

const [, , url = '', concurrency = '1'] = process.argv;
const agent = { http: new Agent({ keepAlive: true }) };
const headers = { 'content-type': 'application/json', accept: 'application/json' };
const options = { agent, headers, responseType: 'json', retry: { limit: 0 } } as const;
let id = 100_000;

async function post<Answer>(body: string): Promise<Answer> {
  return (await got.post<Answer>(url, { ...options, body })).body;
}

async function askFor(hash: string): Promise<void> {
  id += 5;
  const answers = await post<readonly { result: { blockNumber: string } }[]>(firstQuestions(hash, id));
  await post(lastQuestion(answers[3]?.result.blockNumber ?? '', id + 4));
}

process.on('message', async (hashes: readonly string[]) => {
  let next = 0;
  const lane = async () => {
    for (let hash = hashes[next++]; hash !== undefined; hash = hashes[next++]) await askFor(hash);
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, lane));
  process.send?.('done');
});
process.on('disconnect', () => process.exit(0));
process.stdout.write('ready\n');
