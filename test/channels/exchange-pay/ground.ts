/** An exchange, a reader whose clock the test sets, and an account of it. */

import { systemRandom } from '../../../src/base/values/ids.js';
import type { DriverId, ExchangeAccount } from '../../../src/channels/exchange-pay/driver.js';
import { createExchangeReader, type ExchangeReader } from '../../../src/channels/exchange-pay/reader.js';
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
  readonly reader: ExchangeReader;
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
  const accountOf = (driver: DriverId): ExchangeAccount => ({
    id: 'acc_1',
    driver,
    receiver: EXCHANGE_USER,
    baseUrl: exchange.url,
    key: EXCHANGE_KEY,
    secret: EXCHANGE_SECRET,
  });
  const ground: Ground = {
    exchange,
    reader: createExchangeReader({
      now,
      random: systemRandom,
      ...(totalMs === undefined ? {} : { totalMs }),
    }),
    history: accountOf('binance-pay-history'),
    merchant: accountOf('binance-pay-merchant'),
    now: Date.UTC(2026, 7, 21, 6, 30, 5),
    asking: (id) => ({ id, notBefore: ground.now - 5 * 60_000 }),
  };
  return ground;
}
