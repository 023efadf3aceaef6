/** The doctor's look at the server, where something else may answer in its place. */
import test from 'ava';
import { PHONE } from '../../src/cli/doctor/check.js';
import { checkServer } from '../../src/cli/doctor/doctor-server.js';
import { probe } from '../../src/cli/paired-server.js';
import { type Config, Home } from '../../src/ports/node-home.js';
import { pairedHome } from '../helpers/agent.js';
import { answer, TestServer } from '../helpers/server.js';

test('only an answer of the server itself counts as healthy or as a revoked key, never one of a proxy', async (t) => {
  const server = await TestServer.start(t);
  const home = new Home(await pairedHome(t, server));
  const config = (await home.readConfig()) as Config;
  t.deepEqual(await probe(config), { kind: 'well' });
  t.deepEqual(await probe({ ...config, deviceKey: 'dk_of_another_phone' }), { kind: 'refused' });
  for (const status of [200, 401, 403, 413, 502]) {
    server.front = (response) => response.writeHead(status).end('<html></html>');
    t.deepEqual(await probe(config), {
      kind: 'unwell',
      reason: `HTTP ${status}, not in the form of Kashbox`,
    });
  }
  const check = (await checkServer(home, PHONE)).find(({ name }) => name === 'server');
  t.like(check, { state: 'fail' });
  t.is(check?.message, 'does not answer as Kashbox does (HTTP 502, not in the form of Kashbox)');
  server.front = (response) => answer(response, 200, { status: true, results: [] });
  t.regex(
    JSON.stringify(await probe(config)),
    /has no receipt; if the server runs an older Kashbox, update it/,
  );
});
