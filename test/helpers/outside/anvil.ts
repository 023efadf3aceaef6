/**
 * A real EVM chain for tests: anvil on a port of its own, stopped when the test is over. Its blocks come when
 * something is sent or mined; `finalized` is two blocks behind the newest.
 */
import { ANVIL_LISTENS, anvilFlags, anvilProgram, rpc as call } from '../../../src/demo/chain.js';
import { type Owner, root, startProgram } from '../programs/processes.js';

export interface Anvil {
  readonly url: string;
  readonly pid: number;
  /** @throws Error with the node's own words where it answers with an error. */
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Puts so many empty blocks on top, all of the same second as far as anvil allows. */
  mine(blocks?: number): Promise<void>;
  head(): Promise<{ readonly number: number; readonly hash: string; readonly at: number }>;
}

export async function startAnvil(t: Owner, { chainId = 56 } = {}): Promise<Anvil> {
  const program = anvilProgram(root);
  if (program === null) throw new Error('the package of anvil has no program for this machine');
  const child = startProgram(t, program, anvilFlags(chainId));
  const [, port] = await child.printed(ANVIL_LISTENS);
  const url = `http://127.0.0.1:${port}`;
  const rpc: Anvil['rpc'] = (method, ...params) => call(url, method, params);
  return {
    url,
    pid: child.pid,
    rpc,
    async mine(blocks = 1) {
      await rpc('anvil_mine', `0x${blocks.toString(16)}`, '0x0');
    },
    async head() {
      const block = (await rpc('eth_getBlockByNumber', 'latest', false)) as Readonly<Record<string, string>>;
      const { number = '', hash = '', timestamp = '' } = block;
      return { number: Number(number), hash, at: Number(timestamp) * 1_000 };
    },
  };
}
