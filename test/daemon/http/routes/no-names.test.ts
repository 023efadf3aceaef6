/** Names that no database can keep, as broken phones and strangers send them: they name nothing. */
import test from 'ava';
import { enginesOfTier } from '../../../helpers/stores/engines.js';
import { openApi, SYNC } from '../../api.js';
import { openPaired } from '../../mobile/ground.js';

const NUL = 'dsp_\0';

for (const engine of enginesOfTier) {
  test(`${engine}: a report under an impossible name costs no SMS that comes with it`, async (t) => {
    const { callBare, shop } = await openApi(t, { engine });
    const messages = [{ id: 'm', sender: 'bKash', body: 'hello', received_at: '2026-08-21T12:00:00+06:00' }];
    const body = { messages, reports: [{ id: NUL, state: 'SENT' }] };
    const headers = { 'device-key': shop.deviceKey };
    const answer = await callBare(SYNC, { headers, body });
    t.is(answer.statusCode, 200, answer.body);
    t.like(answer.json(), { results: [{ state: 'stored' }] });
  });

  test(`${engine}: the app's reports under impossible names are passed over`, async (t) => {
    const { app } = await openPaired(t, { engine });
    for (const state of ['Sent', 'Delivered', 'Failed']) {
      t.is((await app.call('PATCH', '/message', [{ id: NUL, state }])).status, 204, state);
    }
  });

  test(`${engine}: a reason with signs that no database keeps is kept without them`, async (t) => {
    const { app, look, queue } = await openPaired(t, { engine });
    const id = await queue('hello');
    await app.pull();
    const recipients = [{ error: 'no\0\u001bservice' }];
    t.is((await app.call('PATCH', '/message', [{ id, state: 'Failed', recipients }])).status, 204);
    t.like(await look(id), { state: 'FAILED', error: 'no service' });
  });

  test(`${engine}: impossible names in addresses are found by nobody`, async (t) => {
    const { callBare, shop } = await openApi(t, { engine });
    const headers = { 'gateway-key': shop.gatewayKey };
    t.is((await callBare('/api/v2/gateway/send/%00', { method: 'GET', headers })).statusCode, 404);
    t.is((await callBare('/mobile/v1/webhooks/%00', { body: {} })).statusCode, 401);
  });
}
