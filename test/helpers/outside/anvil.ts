/**
 * A real EVM chain for tests: anvil on a port of its own, stopped when the test is over. Its blocks come when
 * something is sent or mined; `finalized` is two blocks behind the newest.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Owner, startProgram } from '../programs/processes.js';

const CPU: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

export interface Anvil {
  readonly url: string;
  readonly pid: number;
  /** @throws Error with the node's own words where it answers with an error. */
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Puts so many empty blocks on top, all of the same second as far as anvil allows. */
  mine(blocks?: number): Promise<void>;
  head(): Promise<{ readonly number: number; readonly hash: string; readonly at: number }>;
}

/** Where the package that anvil comes in has its program, or null where there is none for this machine. */
function anvilProgram(): string | null {
  const name = `@foundry-rs/anvil-${process.platform}-${CPU[process.arch] ?? process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const program = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
    return existsSync(program) ? program : null;
  } catch {
    return null;
  }
}

export async function startAnvil(t: Owner, { chainId = 56 } = {}): Promise<Anvil> {
  const program = anvilProgram();
  if (program === null) throw new Error('the package of anvil has no program for this machine');
  const flags = ['--host', '127.0.0.1', '--port', '0', '--chain-id', `${chainId}`];
  const child = startProgram(t, program, [...flags, '--slots-in-an-epoch', '1', '--color', 'never']);
  const [, port] = await child.printed(/Listening on 127\.0\.0\.1:(\d+)/);
  const url = `http://127.0.0.1:${port}`;
  const rpc: Anvil['rpc'] = (method, ...params) => rpcCall(url, method, params);
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

async function rpcCall(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as {
    readonly result?: unknown;
    readonly error?: { readonly message: string };
  };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}
