/** The exchange APIs that this version speaks. A new one is a file beside this and a row here. */
import { createBinanceHistory } from './binance-history.js';
import { createBinanceMerchant } from './binance-merchant.js';
import type { DriverId, DriverMeans, ExchangePayDriver } from './driver.js';

interface DriverRow {
  readonly create: (means: DriverMeans) => ExchangePayDriver;
  /** Where its API is, unless an operator says otherwise. */
  readonly baseUrl: string;
  readonly callsPerMinute: number;
}

export const DRIVERS: Readonly<Record<DriverId, DriverRow>> = {
  'binance-pay-history': {
    create: createBinanceHistory,
    baseUrl: 'https://api.binance.com',
    callsPerMinute: 60,
  },
  'binance-pay-merchant': {
    create: createBinanceMerchant,
    baseUrl: 'https://bpay.binanceapi.com',
    callsPerMinute: 60,
  },
};
