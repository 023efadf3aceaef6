/** A phone whose SMS are missing is asked to send them again in the answer of its sync, until it has. */
import test from 'ava';
import { findGaps } from '../../../../src/actions/balance-gaps/find-gaps.js';
import { dhakaIso } from '../../../../src/base/values/clock.js';
import { bkashId } from '../../../helpers/shop/shop.js';
import { bkash } from '../../../helpers/shop/sms.js';
import { type Api, openApi, SYNC } from '../../api.js';

const SECOND = 1_000;

/** An SMS of that balance after 100 taka came in. */
function message(api: Api, n: number, balance: string) {
  const at = api.clock.now();
  const [date = '', time = ''] = dhakaIso(at).slice(0, 16).split('T');
  const body = bkash({
    amount: 'Tk 100.00',
    balance: `Tk ${balance}`,
    id: bkashId(at, n),
    at: `${date.split('-').reverse().join('/')} ${time}`,
  });
  return { id: `m${n}`, sender: 'bKash', body, received_at: dhakaIso(at), sim_slot: 1 };
}

test('resend_since is in every answer while SMS are missing, and ends with resent_since', async (t) => {
  const api = await openApi(t);
  const sync = async (body: object) => {
    const headers = { 'device-key': api.shop.deviceKey };
    return (await api.callBare(SYNC, { headers, body })).json<{ resend_since?: string }>().resend_since;
  };
  const began = dhakaIso(api.clock.now());
  const first = message(api, 1, '1,100.00');
  t.is(await sync({ messages: [first] }), undefined);
  api.clock.advance(60 * SECOND);
  const lost = message(api, 2, '1,200.00');
  api.clock.advance(60 * SECOND);
  t.is(await sync({ messages: [message(api, 3, '1,300.00')] }), undefined);
  api.clock.advance(20 * SECOND);
  await findGaps(api.core);
  t.is(await sync({}), began);
  t.is(await sync({ messages: [first, lost] }), began);
  t.is(await sync({ resent_since: dhakaIso(api.clock.now()) }), began, 'that is not far enough back');
  t.is(await sync({ resent_since: 'long ago' }), began);
  t.is(await sync({ resent_since: began }), undefined);
  t.is(await sync({}), undefined);
});
