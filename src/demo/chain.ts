/** The chain of the demo: a real EVM with a token at the address of USDT. Knows nothing of Kashbox. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { KashboxError } from '../base/errors/errors.js';
import type { Stage } from './stage.js';
import { TOKEN_CODE } from './token-code.js';

/** Of USDT on BNB Smart Chain. */
export const USDT = '0x55d398326f99059fF775485246999027B3197955';
/** One of the accounts that every anvil makes; it signs for it. */
export const CUSTOMER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
/** Nobody's: it only receives. */
export const SHOP_ADDRESS = '0x7Ab1E5c0DE5A1E5b07705e1F5A1E0ddbA11CA5e5';

const CPU: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
/** What anvil prints when it is ready, and on which port. */
export const ANVIL_LISTENS = /Listening on 127\.0\.0\.1:(\d+)/;
/** First four bytes of the keccak of `mint(address,uint256)` and `transfer(address,uint256)`. */
const SELECTORS = { mint: '0x40c10f19', transfer: '0xa9059cbb' } as const;
const ANSWER_MS = 10_000;

/** @param root folder of this package. @returns the program of anvil if its package is installed. */
export function anvilProgram(root: string): string | null {
  const name = `@foundry-rs/anvil-${process.platform}-${CPU[process.arch] ?? process.arch}`;
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`);
    const program = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
    return existsSync(program) ? program : null;
  } catch {
    return null;
  }
}

/** A free port; two blocks behind the newest all is final, as on BNB Smart Chain. */
export function anvilFlags(chainId: number): string[] {
  const where = ['--host', '127.0.0.1', '--port', '0', '--chain-id', String(chainId)];
  return [...where, '--slots-in-an-epoch', '1', '--color', 'never'];
}

export type Chain = Awaited<ReturnType<typeof startChain>>;

/** @param program of anvil. @param initialBalance what the customer has, in units of 10^-18. */
export async function startChain(
  { children, places, program, signal }: Stage,
  anvil: string,
  initialBalance: bigint,
) {
  const started = program('anvil', [anvil, ...anvilFlags(56)]);
  const { pid, said: port } = await children.start(
    started,
    places.chainLog,
    (line) => ANVIL_LISTENS.exec(line)?.[1],
  );
  const url = `http://127.0.0.1:${port}`;
  const ask = (method: string, ...params: readonly unknown[]) =>
    rpc(url, method, params, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
  const send = async (name: keyof typeof SELECTORS, to: string, units: bigint) => {
    const data = `${SELECTORS[name]}${word(BigInt(to))}${word(units)}`;
    return String(await ask('eth_sendTransaction', { from: CUSTOMER, to: USDT, data, gas: '0x2dc6c0' }));
  };
  await ask('anvil_setCode', USDT, TOKEN_CODE);
  await send('mint', CUSTOMER, initialBalance);
  return {
    url,
    pid,
    /** Sends USDT from the customer to the shop. @param units of 10^-18. @returns the transfer's hash. */
    pay: (units: bigint) => send('transfer', SHOP_ADDRESS, units),
    /** Until then a block comes with each transaction; from now on one a second. */
    goOn: () => ask('evm_setIntervalMining', 1),
  };
}

/** A number as an argument of a call: 32 bytes. */
function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

/** @returns what a node answers. @throws KashboxError `internal` with its own words. */
export async function rpc(
  url: string,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal | null = null,
): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal,
  });
  const { result, error } = (await answer.json()) as {
    readonly result?: unknown;
    readonly error?: { readonly message: string };
  };
  if (error !== undefined)
    throw new KashboxError('internal', { message: `anvil: ${method}: ${error.message}` });
  return result;
}
