/**
 * A chain with USDT at its official address, customers who have some, and those who only pretend to. Knows
 * nothing of Kashbox.
 */
import { readFileSync } from 'node:fs';
import { Interface } from 'ethers';
import { CUSTOMER, SHOP_ADDRESS as SHOP, USDT } from '../../../src/demo/chain.js';
import type { Owner } from '../programs/processes.js';
import { until } from '../until.js';
import { type Anvil, startAnvil } from './anvil.js';

export { CUSTOMER, SHOP, USDT };

/** Tokens with the same name and symbol. */
export const FAKE_USDT = '0x00000000000000000000000000000000000fa4e1';
export const ROUTER = '0x0000000000000000000000000000000000007071';
export const EXCHANGE = '0x000000000000000000000000000000000000eace';
export const MEGAPHONE = '0x00000000000000000000000000000000000a10ed';
export const STRANGER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const calls = new Interface([
  'function mint(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function transferFrom(address from, address to, uint256 value)',
  'function pay(address token, address to, uint256 value)',
  'function send(address token, address[] to, uint256[] values)',
  'function payAndShout(address token, address to, uint256 value, address victim, uint256 shouted)',
  'function log(bytes32[] topics, bytes data)',
]);

/** 10 USDT in base units. */
export const TEN = 10n ** 19n;

type ContractName = 'Token' | 'Router' | 'BatchSender' | 'Megaphone';

const codes = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/chain/contracts.json', import.meta.url), 'utf8'),
) as Readonly<Record<ContractName, string>>;

export interface Call {
  readonly from?: string;
  readonly to: string;
  /** BNB in wei. */
  readonly value?: bigint;
  /** Sent even if the node sees that it will fail. */
  readonly gas?: number;
}

export interface TokenChain extends Anvil {
  /** @returns the hash of the transaction, mined unless mining was stopped. */
  call(call: Call, name?: string, args?: readonly unknown[]): Promise<string>;
  /** An ordinary transfer of USDT from the customer. */
  pay(value: bigint, to?: string): Promise<string>;
  /** Puts a contract at an address, over what is there. */
  put(address: string, contract: ContractName): Promise<void>;
}

export async function startTokenChain(t: Owner, options: { chainId?: number } = {}): Promise<TokenChain> {
  const anvil = await startAnvil(t, options);
  const put: TokenChain['put'] = async (address, contract) => {
    await anvil.rpc('anvil_setCode', address, codes[contract]);
  };
  const call: TokenChain['call'] = async (
    { from = CUSTOMER, to, value = 0n, gas = 3_000_000 },
    name,
    args,
  ) => {
    const data = name === undefined ? '0x' : calls.encodeFunctionData(name, [...(args ?? [])]);
    const parts = { from, to, data, value: `0x${value.toString(16)}`, gas: `0x${gas.toString(16)}` };
    const hash = (await anvil.rpc('eth_sendTransaction', parts)) as string;
    // It answers before the block is made, which takes a while on a busy machine.
    if (await anvil.rpc('anvil_getAutomine')) {
      await until(async () => (await anvil.rpc('eth_getTransactionReceipt', hash)) !== null);
    }
    return hash;
  };
  // The shop has no key here, and may send all the same.
  await anvil.rpc('anvil_impersonateAccount', SHOP);
  await anvil.rpc('anvil_setBalance', SHOP, '0x56bc75e2d63100000');
  await put(USDT, 'Token');
  await put(FAKE_USDT, 'Token');
  await put(ROUTER, 'Router');
  await put(EXCHANGE, 'BatchSender');
  await put(MEGAPHONE, 'Megaphone');
  for (const token of [USDT, FAKE_USDT]) {
    await call({ to: token }, 'mint', [CUSTOMER, TEN * 1_000_000n]);
    await call({ to: token }, 'mint', [EXCHANGE, TEN * 1_000_000n]);
    for (const spender of [ROUTER, MEGAPHONE]) await call({ to: token }, 'approve', [spender, TEN * 1_000n]);
  }
  return {
    ...anvil,
    call,
    put,
    pay: (value, to = SHOP) => call({ to: USDT }, 'transfer', [to, value]),
  };
}
