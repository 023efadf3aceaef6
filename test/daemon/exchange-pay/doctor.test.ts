/** What the doctor says of an exchange, and what it advises for each way in which one fails. */

import test from 'ava';
import { checkOutside } from '../../../src/actions/doctor/check-sources.js';
import { inEnglish } from '../../helpers/in-english.js';
import type { Fault } from '../../helpers/outside/exchange-server.js';
import { scene } from './scene.js';

test('an exchange that answers by a key that may only read is well', async (t) => {
  const { api } = await scene(t);
  const [check, ...others] = await inEnglish(checkOutside(api.core));
  t.deepEqual(others, []);
  t.like(check, { name: 'exchange of Alo Store, personal', state: 'ok' });
  t.regex(check?.message ?? '', /key is read-only/);
});

test('reports nothing about rights that the exchange does not disclose', async (t) => {
  const merchant = await scene(t, { type: 'merchant' });
  const personal = await scene(t);
  for (const name of Object.keys(personal.exchange.rights)) delete personal.exchange.rights[name];
  for (const { api } of [merchant, personal]) {
    const [check] = await inEnglish(checkOutside(api.core));
    t.is(check?.state, 'ok');
    t.regex(check?.message ?? '', /^reachable, key accepted; the API does not list its permissions/);
  }
});

const failures: [what: string, fault: Fault, message: RegExp, remedy: RegExp][] = [
  [
    'a key that is refused',
    { status: 401, body: '{"code":-2015}' },
    /^auth: /,
    /^Set it again with new credentials/,
  ],
  ['too many calls', { status: 429, body: '' }, /^rate_limited: /, /^Wait\. /],
  [
    'a failure of its own',
    { status: 503, body: '' },
    /^http_status: /,
    /^If this continues, check that the exchange/,
  ],
];
for (const [what, fault, message, remedy] of failures) {
  test(`of ${what} new credentials are advised only where they help`, async (t) => {
    const { api, exchange } = await scene(t);
    exchange.faults.push(fault);
    const [check] = await inEnglish(checkOutside(api.core));
    t.is(check?.state, what === 'a key that is refused' ? 'fail' : 'warn');
    t.regex(check?.message ?? '', message);
    t.regex(check?.remedy ?? '', remedy);
  });
}
