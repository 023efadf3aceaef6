/** An exchange, a reader whose clock the test sets, and an account of it. */

import { systemRandom } from '../../../src/base/values/ids.js';
import type { Lookup } from '../../../src/channels/channel.js';
import type { ExchangeAccount } from '../../../src/channels/exchange-pay/exchange.js';
import {
  createExchangeReader,
  type ExchangeQuestion,
  type ExchangeReader,
} from '../../../src/channels/exchange-pay/reader.js';
import {
  EXCHANGE_KEY,
  EXCHANGE_SECRET,
  EXCHANGE_USER,
  type ExchangeServer,
  openExchangeServer,
} from '../../helpers/outside/exchange-server.js';
import type { Owner } from '../../helpers/programs/processes.js';

export interface Ground {
  readonly exchange: ExchangeServer;
  readonly reader: ExchangeReader & {
    lookup(account: ExchangeAccount, question: ExchangeQuestion): Promise<Lookup>;
  };
  readonly history: ExchangeAccount;
  readonly merchant: ExchangeAccount;
  /** Both clocks: the exchange's may be ahead of it. */
  now: number;
  /** A question of a session that was opened five minutes ago. */
  asking(id: string): { readonly id: string; readonly notBefore: number };
}

export async function openGround(t: Owner, totalMs?: number): Promise<Ground> {
  const now = () => ground.now;
  const exchange = await openExchangeServer(t, now);
  const accountOf = (driver: string): ExchangeAccount => ({
    id: 'acc_1',
    driver,
    receiver: EXCHANGE_USER,
    baseUrl: exchange.url,
    key: EXCHANGE_KEY,
    secret: EXCHANGE_SECRET,
  });
  const reader = createExchangeReader({
    now,
    random: systemRandom,
    ...(totalMs === undefined ? {} : { totalMs }),
  });
  const ground: Ground = {
    exchange,
    reader: {
      ...reader,
      lookup: async (account, question) => {
        const [lookup] = await reader.lookupMany(account, [question]);
        return lookup ?? Promise.reject(new Error('no answer'));
      },
    },
    history: accountOf('binance-pay-history'),
    merchant: accountOf('binance-pay-merchant'),
    now: Date.UTC(2026, 7, 21, 6, 30, 5),
    asking: (id) => ({ id, notBefore: ground.now - 5 * 60_000 }),
  };
  return ground;
}
