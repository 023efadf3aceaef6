/** Exchanges that this version supports. A new one is a folder next to this file and a row here. */
import type { LocalizedName } from '../../domain/wallets/wallet.js';
import { BINANCE } from './binance/index.js';
import type { Exchange, ExchangeDriver } from './exchange.js';

const EXCHANGES: readonly Exchange[] = [BINANCE];

/** All their APIs. */
export const DRIVERS: readonly ExchangeDriver[] = EXCHANGES.flatMap(({ drivers }) => drivers);

/** @param driver id of one of its drivers, as it is kept with an account. */
export function findExchange(driver: string | undefined): Exchange | undefined {
  return EXCHANGES.find(({ drivers }) => drivers.some(({ id }) => id === driver));
}

/** Names of all exchange apps, for texts where the customer's exchange is not known. */
export const EXCHANGE_APPS = EXCHANGES.map(({ app }) => app).join(' / ');
export const EXCHANGE_NAMES: LocalizedName = {
  en: EXCHANGES.map(({ name }) => name.en).join(' / '),
  bn: EXCHANGES.map(({ name }) => name.bn).join(' / '),
};
