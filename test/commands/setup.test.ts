import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openCli } from '../helpers/programs/cli.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const SHOP = ['setup', '--merchant-name', 'Alo', '--account', 'mfs_a:personal:01711000001'];
const PHONE = ['--device-name', 'counter-1', '--sim', '1=01711000001'];

test('a flag simulates a test payment; the exit code says whether every wallet would receive its SMS', async (t) => {
  const kashbox = await openCli(t);
  const made = await kashbox(...SHOP, ...PHONE, '--test-payment', 'simulated', '--json');
  t.is(made.code, 0, made.stderr);
  const {
    brand,
    device,
    test_payments: played,
  } = made.json<{
    brand: { name: string };
    device: { pairing_code: string };
    test_payments: { outcome: string; channel: string }[];
  }>();
  t.is(brand.name, 'Alo');
  t.truthy(device.pairing_code);
  t.deepEqual(
    played.map(({ channel, outcome }) => [channel, outcome]),
    [['mfs_a', 'completed']],
  );
  await kashbox(
    'accounts',
    'set',
    '--brand',
    'Alo',
    '--channel',
    'mfs_b',
    '--type',
    'agent',
    '--number',
    '01811000002',
  );
  const tried = await kashbox('setup', '--brand', 'Alo', '--test-payment', 'simulated');
  t.is(tried.code, 4);
  t.regex(
    tried.stderr,
    /^ok {4}bKash personal 01711000001: an SMS of Tk [\d.]+ \(\w+\) completes a payment\.$/m,
  );
  t.regex(tried.stderr, /^FAIL {2}Nagad agent 01811000002: no phone has this SIM/m);
  t.deepEqual((await kashbox('payments', 'list', '--json')).json(), []);
});

test('setup suggests setting an account if one is missing, otherwise starting the daemon', async (t) => {
  const bare = await (await openCli(t))('setup', '--merchant-name', 'Amar Dokan');
  const set = "kashbox accounts set --brand 'Amar Dokan' --channel mfs_a --type personal --number 01…";
  t.true(
    bare.stdout.endsWith(`\nNext, add a receiving account: ${set}\nThen: kashbox daemon\n`),
    bare.stdout,
  );
  t.regex((await (await openCli(t))(...SHOP)).stdout, /\nNext: kashbox daemon\n$/);
});

test('rejects an impossible wait before anything is created', async (t) => {
  const kashbox = await openCli(t);
  for (const more of [
    ['--wait', '1'],
    ['--test-payment', 'real'],
  ]) {
    const refused = await kashbox(...SHOP, ...PHONE, ...more, '--json');
    t.is(refused.code, 2);
    t.regex(refused.stdout, /printed last, too late/);
  }
  t.is((await kashbox('merchants', 'list')).code, 5, 'not even a home');
  t.is((await kashbox('setup', '--wait', '1')).code, 2);
  t.is((await kashbox('setup', '--brand', 'Nobody', '--wait', '1')).code, 3);
  t.is((await kashbox(...SHOP, '--brand', 'Alo')).code, 2);
});

test('a phone that does not call in time, or is not there, ends with what to do', async (t) => {
  const kashbox = await openCli(t);
  await kashbox(...SHOP);
  const none = await kashbox('setup', '--brand', 'Alo', '--wait', '1', '--json');
  t.is(none.code, 4);
  t.like(none.json(), { error: { message: 'No phone is enrolled for "Alo"' } });
  await kashbox('devices', 'enroll', '--merchant', 'Alo', '--name', 'counter-1', '--sim', '1=01711000001');
  const late = await kashbox('setup', '--brand', 'Alo', '--wait', '1');
  t.is(late.code, 4);
  t.regex(late.stderr, /Waiting for the phone: counter-1\.\n/);
  t.regex(
    late.stderr,
    /No phone of "Alo" connected within 1 seconds\nNext: See what is wrong: kashbox doctor/,
  );
});

test('setup and doctor speak Bangla where they are asked to, and keep commands as they are typed', async (t) => {
  const kashbox = await openCli(t);
  const made = await kashbox(...SHOP, ...PHONE, '--lang', 'bn');
  t.is(made.code, 0, made.stderr);
  t.regex(made.stdout, /^পেয়ারিং কোড +\S+ {2}\(একবার কাজ করে/m);
  t.regex(made.stdout, /^এরপর: kashbox daemon$/m);
  const doctor = await kashbox('doctor', '--lang', 'bn');
  t.regex(doctor.stdout, /^ok {4}integrity: ফাইলটি অক্ষত$/m);
  t.regex(doctor.stdout, /→ .*kashbox backup '\/.*\/kashbox\.backup'/);
  t.regex((await kashbox('doctor')).stdout, /^ok {4}integrity: check passed$/m);
  t.is((await kashbox('doctor', '--lang', 'fr')).code, 2);
});

test('a flag writes a unit for systemd, with a shop or alone', async (t) => {
  const kashbox = await openCli(t);
  const file = join(await temporaryFolder(t), 'kashbox.service');
  const made = await kashbox(...SHOP, '--service-unit', file);
  t.is(made.code, 0);
  t.true(existsSync(file));
  t.regex(made.stderr, /enable --now kashbox/);
  const again = await kashbox('setup', '--brand', 'Alo', '--service-unit', file);
  t.is(again.code, 4);
  t.regex(again.stderr, /already exists\nNext: Name another file/);
});
