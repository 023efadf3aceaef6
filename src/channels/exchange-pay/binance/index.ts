/** Binance: the pay history of personal accounts, and the orders of merchant accounts. */
import type { Exchange } from '../exchange.js';
import { createBinanceHistory } from './history.js';
import { createBinanceMerchant } from './merchant.js';

export const BINANCE: Exchange = {
  scope: 'binance',
  app: 'Binance',
  name: { en: 'Binance Pay', bn: 'বাইন্যান্স পে' },
  userId: { en: 'Binance ID', bn: 'বাইন্যান্স আইডি' },
  drivers: [
    {
      id: 'binance-pay-history',
      type: 'personal',
      baseUrl: 'https://api.binance.com',
      callsPerMinute: 60,
      create: createBinanceHistory,
    },
    {
      id: 'binance-pay-merchant',
      type: 'merchant',
      baseUrl: 'https://bpay.binanceapi.com',
      callsPerMinute: 60,
      create: createBinanceMerchant,
    },
  ],
};
