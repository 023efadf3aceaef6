/**
 * Chains on which USDT is accepted, with the official token of each. Look-alike tokens have the same name and
 * symbol: only the contract address distinguishes them.
 */

export interface Network {
  readonly chainId: number;
  /** Name shown to customers, as wallets spell it. */
  readonly name: string;
  readonly token: string;
  readonly decimals: number;
  /** Free, rate-limited nodes of the chain's own developers, sufficient for the first day. */
  readonly publicNodes: readonly string[];
}

export const NETWORKS: readonly [Network, ...Network[]] = [
  {
    chainId: 56,
    name: 'BNB Smart Chain (BEP20)',
    token: '0x55d398326f99059fF775485246999027B3197955',
    decimals: 18,
    publicNodes: [
      'https://bsc-dataseed.bnbchain.org',
      'https://bsc-dataseed.nariox.org',
      'https://bsc-dataseed.defibit.io',
      'https://bsc-dataseed.ninicoin.io',
    ],
  },
  {
    chainId: 97,
    name: 'BNB Smart Chain Testnet (BEP20)',
    token: '0x337610d27c682E347C9cD60BD4b3b107C9d34dDd',
    decimals: 18,
    publicNodes: [
      'https://bsc-testnet-dataseed.bnbchain.org',
      'https://bsc-testnet.bnbchain.org',
      'https://bsc-prebsc-dataseed.bnbchain.org',
    ],
  },
];

/** The chain that is meant where none is named. */
export const DEFAULT_CHAIN_ID = NETWORKS[0].chainId;

export function findNetwork(chainId: number): Network | undefined {
  return NETWORKS.find((network) => network.chainId === chainId);
}
