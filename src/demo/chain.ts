/** The chain of the demo: a real EVM with a token at the address of USDT. Knows nothing of Kashbox. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KashboxError } from '../base/errors/errors.js';
import type { DemoEnv } from './demo-env.js';

/** Contract address of USDT on BNB Smart Chain. */
export const USDT = '0x55d398326f99059fF775485246999027B3197955';
/** One of the accounts that every anvil makes; it signs for it. */
export const CUSTOMER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
/** Nobody's: it only receives. */
export const SHOP_ADDRESS = '0x7Ab1E5c0DE5A1E5b07705e1F5A1E0ddbA11CA5e5';

const CPU: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
/** Line that anvil prints when it is ready, with its port. */
export const ANVIL_LISTENS = /Listening on 127\.0\.0\.1:(\d+)/;
/** First four bytes of the keccak of `mint(address,uint256)` and `transfer(address,uint256)`. */
const SELECTORS = { mint: '0x40c10f19', transfer: '0xa9059cbb' } as const;
const ANSWER_MS = 10_000;
const LOOK_EVERY_MS = 50;

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

/** Flags for a free port and for finality after two blocks, as on BNB Smart Chain. */
export function anvilFlags(chainId: number): string[] {
  const where = ['--host', '127.0.0.1', '--port', '0', '--chain-id', String(chainId)];
  return [...where, '--slots-in-an-epoch', '1', '--color', 'never'];
}

export type Chain = Awaited<ReturnType<typeof startChain>>;

/** @param program of anvil. @param initialBalance what the customer has, in units of 10^-18. */
export async function startChain(
  { children, places, program, signal }: DemoEnv,
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
  const call = (method: string, ...params: readonly unknown[]) =>
    rpc(url, method, params, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
  const send = async (name: keyof typeof SELECTORS, to: string, units: bigint) => {
    const data = `${SELECTORS[name]}${word(BigInt(to))}${word(units)}`;
    const parts = { from: CUSTOMER, to: USDT, data, gas: '0x2dc6c0' };
    const hash = String(await call('eth_sendTransaction', parts));
    // anvil answers before it has made the block, which takes longer on a busy machine.
    while ((await call('eth_getTransactionReceipt', hash)) === null)
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    return hash;
  };
  await call('anvil_setCode', USDT, TOKEN_CODE);
  await send('mint', CUSTOMER, initialBalance);
  return {
    url,
    pid,
    /** Sends USDT to the shop, and waits for its block. @param units of 10^-18. @returns the hash. */
    pay: (units: bigint) => send('transfer', SHOP_ADDRESS, units),
    /** Starts mining one block per second; before that, each transaction makes one block. */
    goOn: () => call('evm_setIntervalMining', 1),
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

/** Code of a contract with 18 decimals whose `mint` anybody may call. */
export const TOKEN_CODE = [
  '0x608060405234801561000f575f5ffd5b5060043610610090575f3560e01c806340c10f191161006357806340c10f19146101',
  '2357806370a082311461013857806395d89b4114610165578063a9059cbb14610188578063dd62ed3e1461019b575f5ffd5b',
  '806306fdde0314610094578063095ea7b3146100d357806323b872dd146100f6578063313ce56714610109575b5f5ffd5b61',
  '00bd6040518060400160405280600a81526020016915195d1a195c881554d160b21b81525081565b6040516100ca91906103',
  'b1565b60405180910390f35b6100e66100e1366004610417565b6101c5565b60405190151581526020016100ca565b6100e6',
  '61010436600461043f565b610231565b610111601281565b60405160ff90911681526020016100ca565b6101366101313660',
  '04610417565b610280565b005b610157610146366004610479565b5f6020819052908152604090205481565b604051908152',
  '6020016100ca565b6100bd604051806040016040528060048152602001631554d11560e21b81525081565b6100e661019636',
  '6004610417565b6102f0565b6101576101a9366004610499565b600160209081525f92835260408084209091529082529020',
  '5481565b335f8181526001602090815260408083206001600160a01b038716808552925280832085905551919290917f8c5b',
  'e1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b9259061021f9086815260200190565b604051809103',
  '90a35060015b92915050565b6001600160a01b0383165f908152600160209081526040808320338452909152812080548391',
  '9083906102659084906104de565b909155506102769050848484610305565b5060019392505050565b6001600160a01b0382',
  '165f90815260208190526040812080548392906102a79084906104f1565b90915550506040518181526001600160a01b0383',
  '16905f907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200160405180910390a350',
  '50565b5f6102fc338484610305565b50600192915050565b6001600160a01b0383165f908152602081905260408120805483',
  '929061032c9084906104de565b90915550506001600160a01b0382165f908152602081905260408120805483929061035890',
  '84906104f1565b92505081905550816001600160a01b0316836001600160a01b03167fddf252ad1be2c89b69c2b068fc378d',
  'aa952ba7f163c4a11628f55a4df523b3ef836040516103a491815260200190565b60405180910390a3505050565b60208152',
  '5f82518060208401525f5b818110156103dd57602081860181015160408684010152016103c0565b505f6040828501015260',
  '40601f19601f83011684010191505092915050565b80356001600160a01b0381168114610412575f5ffd5b919050565b5f5f',
  '60408385031215610428575f5ffd5b610431836103fc565b946020939093013593505050565b5f5f5f606084860312156104',
  '51575f5ffd5b61045a846103fc565b9250610468602085016103fc565b929592945050506040919091013590565b5f602082',
  '84031215610489575f5ffd5b610492826103fc565b9392505050565b5f5f604083850312156104aa575f5ffd5b6104b38361',
  '03fc565b91506104c1602084016103fc565b90509250929050565b634e487b7160e01b5f52601160045260245ffd5b818103',
  '8181111561022b5761022b6104ca565b8082018082111561022b5761022b6104ca56',
].join('');
