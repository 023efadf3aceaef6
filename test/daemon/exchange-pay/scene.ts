/** A shop whose exchange account is set as an operator sets it, and a strict exchange on loopback. */
import type { ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { setRate } from '../../../src/actions/brands/rates.js';
import type { Engine } from '../../../src/store/schema/index.js';
import {
  EXCHANGE_KEY,
  EXCHANGE_SECRET,
  EXCHANGE_USER,
  type ExchangeServer,
  openExchangeServer,
  paidRow,
} from '../../helpers/outside/exchange-server.js';
import { type Api, CREATE, openApi, VERIFY } from '../api.js';

export interface Scene {
  readonly api: Api;
  readonly exchange: ExchangeServer;
}

export async function scene(
  t: ExecutionContext<unknown>,
  { engine = 'sqlite', type = 'personal' }: { engine?: Engine; type?: 'personal' | 'merchant' } = {},
): Promise<Scene> {
  const api = await openApi(t, { engine });
  const exchange = await openExchangeServer(t, () => api.clock.now());
  await setRate(api.core, { brand: 'Alo Store', rate: '120', who: 'test' });
  await setAccount(api.core, {
    brand: 'Alo Store',
    channel: 'exchange_pay',
    type,
    number: EXCHANGE_USER,
    details: { base_url: exchange.url },
    credentials: { key: EXCHANGE_KEY, secret: EXCHANGE_SECRET },
    who: 'test',
  });
  return { api, exchange };
}

interface Created {
  readonly id: string;
  readonly methods: readonly Readonly<Record<string, unknown>>[];
}

/** Of 500 taka at 120: 4.1667 USDT. */
export async function order(api: Api) {
  const created = (await api.call(CREATE, { body: { cus_name: 'Customer', amount: 500 } })).json() as Created;
  return { id: created.id, method: created.methods.find(({ name }) => name === 'exchange_pay') };
}

export const verify = (api: Api, id: string, reference: string) =>
  api.call(VERIFY, { body: { id, method: 'exchange_pay', transaction_id: reference } });

/** Pays now, and lets what was looked up before be out of date. */
export function pay({ api, exchange }: Scene, fields: Readonly<Record<string, unknown>> = {}): void {
  exchange.rows.push(paidRow(api.clock.now(), fields));
  api.clock.advance(3_000);
}

export const IDS = { transactionId: 'M_P_71505104267788288', orderId: '331726482920497152' };
