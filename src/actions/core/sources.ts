/**
 * The readers of pulled channels, each loaded when it is first needed: ethers and got take memory that most
 * installations can do without. They remember which sources failed, which is no truth: another process finds
 * it out anew.
 */
import type { Clock } from '../../base/values/clock.js';
import type { RandomSource } from '../../base/values/ids.js';
import type { ChainReader } from '../../channels/bep20/reader.js';
import type { SourceTally } from '../../channels/channel.js';
import type { ExchangeReader } from '../../channels/exchange-pay/reader.js';
import type { Settings } from '../../config/settings.js';

export interface Outside {
  chain(): Promise<ChainReader>;
  exchange(): Promise<ExchangeReader>;
  /** How sources did since this was last asked. */
  tallies(): readonly SourceTally[];
}

export function createOutside(settings: Settings, clock: Clock, random: RandomSource): Outside {
  let chain: Promise<ChainReader> | undefined;
  let exchange: Promise<ExchangeReader> | undefined;
  const loaded = new Set<{ tallies(): readonly SourceTally[] }>();
  const now = () => clock.now();
  const loadChain = async () => {
    const { createChainReader } = await import('../../channels/bep20/reader.js');
    const { chainConfirmations: confirmations, agreeingNodes: agreeing } = settings;
    const reader = createChainReader({ now, confirmations, agreeing });
    loaded.add(reader);
    return reader;
  };
  const loadExchange = async () => {
    const { createExchangeReader } = await import('../../channels/exchange-pay/reader.js');
    const reader = createExchangeReader({ now, random });
    loaded.add(reader);
    return reader;
  };
  return {
    chain: () => {
      chain ??= loadChain();
      return chain;
    },
    exchange: () => {
      exchange ??= loadExchange();
      return exchange;
    },
    tallies: () => [...loaded].flatMap((reader) => reader.tallies()),
  };
}
