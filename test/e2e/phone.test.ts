/**
 * A phone from nothing to its first payment SMS, as its owner does it: two lines pasted into Termux, then the
 * doctor. Real shell, real curl, the real daemon with the certificate that it has made for itself.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { openCore } from '../../src/actions/core/core.js';
import { enrollDevice, rotateDevice } from '../../src/actions/devices/enroll-device.js';
import { listSms } from '../../src/actions/sms/list-sms.js';
import { pairingDetails, pairingLink, termuxLines } from '../../src/cli/pairing/pairing.js';
import { openTermuxPhone } from '../helpers/outside/termux-phone.js';
import { type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { type Process, runNode, withinTime } from '../helpers/programs/processes.js';
import { openShop } from '../helpers/shop/shop.js';
import { newSms } from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const bundle = fileURLToPath(new URL('../../relay/kashbox-relay.mjs', import.meta.url));

/** A shop with a daemon, and what `devices enroll` prints for its phone. */
async function scene(t: ExecutionContext) {
  const home = await temporaryFolder(t);
  const core = await openCore({ folder: home, env: {} });
  t.teardown(() => core.close());
  const { merchantId } = await openShop(core);
  const daemon = await startDaemon(t, { home });
  const phone = { merchant: merchantId, name: 'relay', sims: ['1=01711000001'], who: 'test' };
  const { device, pairing_code: code } = await enrollDevice(core, phone);
  const offer = await pairingDetails(core, daemon.url, 'relay');
  const bodies = async () => (await listSms(core, { limit: 50 })).map(({ body }) => body);
  return { core, daemon, offer, code, device, bodies };
}

const ended = async (process: Process) => {
  const { code } = await withinTime(process);
  return { code, text: process.stdout() + process.stderr() };
};

test('the one file pairs and delivers alone, in a folder where nothing else is', async (t) => {
  const { offer, code, bodies } = await scene(t);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'kashbox-relay.mjs');
  copyFileSync(bundle, file);
  const home = join(folder, 'home');
  const paired = await runNode(t, [file, 'pair', pairingLink(offer, code), '--home', home]);
  t.is(paired.code, 0, paired.stderr);
  const inbox = join(folder, 'inbox');
  mkdirSync(inbox);
  const { sms } = newSms();
  writeFileSync(join(inbox, '1.json'), JSON.stringify(sms));
  const ran = await runNode(t, [file, 'run', '--once', '--inbox', inbox, '--home', home]);
  t.is(ran.code, 0, ran.stderr);
  t.deepEqual(await bodies(), [sms.body]);
});

test('two lines pasted into Termux make a relay phone, and the doctor follows an SMS through it', async (t) => {
  const { core, daemon, offer, code, device, bodies } = await scene(t);
  const phone = await openTermuxPhone(t);
  const [fetch, install] = termuxLines(offer, code);
  const fetched = await ended(phone.type(fetch));
  t.is(fetched.code, 0, fetched.text);
  const installed = await ended(phone.type(install));
  t.is(installed.code, 0, installed.text);
  t.regex(
    installed.text,
    /The agent runs .*Termux:Boot once\..*RCS.*two SIMs.*--sim-subs.*kashbox-relay doctor/s,
  );
  t.true(phone.called().some((line) => line.startsWith('pkg install -y ')));

  const again = await ended(phone.type(install));
  t.is(again.code, 0, `pasted twice: ${again.text}`);
  const examined = phone.type('kashbox-relay doctor');
  await examined.logged(/Now send an SMS/);
  const { sms } = newSms();
  phone.receive({ address: sms.sender, body: sms.body, at: new Date() });
  const verdict = await ended(examined);
  t.is(verdict.code, 0, verdict.text);
  t.regex(verdict.text, /✓ self-test: the SMS came and the server has stored it/);
  t.deepEqual(await bodies(), [sms.body]);
  const log = join(phone.env.HOME, '.kashbox-relay/agent.log');
  t.true(verdict.text.includes(`its log: ${log}`));
  t.regex(readFileSync(log, 'utf8'), /connected to https/);

  phone.refuse('Please grant the following permission(s) to use this command: android.permission.READ_SMS');
  await rotateDevice(core, { device: device.id, who: 'test' });
  const ill = await ended(phone.type('kashbox-relay doctor --no-sms --json'));
  t.is(ill.code, 4);
  const { checks } = JSON.parse(ill.text) as { checks: { name: string; state: string }[] };
  const failed = checks.filter(({ state }) => state === 'fail').map(({ name }) => name);
  t.deepEqual(failed.slice(0, 2), ['reading SMS', 'server']);

  const removed = await ended(phone.type('kashbox-relay uninstall'));
  t.is(removed.code, 0, removed.text);
  const { PREFIX, HOME } = phone.env;
  t.false(
    existsSync(join(PREFIX, 'bin/kashbox-relay')) || existsSync(join(HOME, '.termux/boot/kashbox-relay')),
  );
  t.true(existsSync(join(HOME, '.kashbox-relay/queue.journal')), 'the queue stays');
  t.is(daemon.process.stderr().match(/panic|unhandled/i), null);
});

test('a server with another key than the pinned one hands no program to a phone', async (t) => {
  const { offer, code, daemon } = await scene(t);
  const phone = await openTermuxPhone(t);
  const other = Buffer.alloc(32).toString('base64');
  const pin = offer.pin === null ? null : { ...offer.pin, publicKey: other };
  const [fetch] = termuxLines({ ...offer, pin }, code);
  const fetched = await ended(phone.type(fetch));
  t.is(fetched.code, 90, 'curl: the public key does not match');
  t.false(existsSync(join(phone.env.HOME, 'kashbox-relay.mjs')));
  await refusesPlain(t, daemon);
});

async function refusesPlain(t: ExecutionContext, daemon: Daemon): Promise<void> {
  const answer = await globalThis.fetch(`${daemon.plainUrl}/relay/kashbox-relay.mjs`, { redirect: 'manual' });
  t.is(answer.status, 403, 'and over plain HTTP there is none');
}
