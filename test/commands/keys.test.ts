import test from 'ava';
import { type Cli, type Failed, openCli } from '../helpers/programs/cli.js';

interface Key {
  readonly id: string;
  readonly hint: string;
  readonly state: string;
  readonly expires_at: string | null;
}

interface Rotated {
  readonly brand_key: string;
  readonly key: { readonly id: string };
}

const states = async (kashbox: Cli) =>
  (await kashbox('keys', 'list', '--brand', 'Alo', '--json')).json<Key[]>().map((key) => key.state);

test.serial(
  'a rotated key is revoked at once, an overlapping one later, and a revoked one permanently',
  async (t) => {
    const kashbox = await openCli(t);
    await kashbox('merchants', 'create', '--name', 'Alo');
    t.deepEqual(await states(kashbox), ['ACTIVE']);
    const rotated = await kashbox('keys', 'rotate', '--brand', 'Alo', '--json');
    t.is(rotated.code, 0);
    t.regex(rotated.json<Rotated>().brand_key, /^bk_[0-9A-Za-z]{40}$/);
    t.deepEqual(await states(kashbox), ['REVOKED', 'ACTIVE']);
    const again = await kashbox('keys', 'rotate', '--brand', 'Alo', '--overlap', '1h', '--json');
    t.deepEqual(await states(kashbox), ['REVOKED', 'EXPIRING', 'ACTIVE']);
    const revoked = await kashbox('keys', 'revoke', again.json<Rotated>().key.id, '--json');
    t.is(revoked.json<Key>().state, 'REVOKED');
    t.deepEqual(await states(kashbox), ['REVOKED', 'EXPIRING', 'REVOKED']);
  },
);

test.serial('keys rejects an unknown brand with exit code 3 and an invalid overlap with 2', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const unknown = await kashbox('keys', 'rotate', '--brand', 'Nobody', '--json');
  t.is(unknown.code, 3);
  t.is(unknown.json<Failed>().error.message, 'There is no brand "Nobody"');
  for (const overlap of ['soon', '-1h', '31d']) {
    const ran = await kashbox('keys', 'rotate', '--brand', 'Alo', `--overlap=${overlap}`, '--json');
    t.is(ran.code, 2, overlap);
  }
  t.deepEqual(await states(kashbox), ['ACTIVE']);
});

test.serial('a second brand has its own key, and its profile can be changed', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const made = await kashbox('brands', 'create', '--merchant', 'Alo', '--name', 'Alo Online', '--json');
  t.is(made.code, 0);
  t.deepEqual(Object.keys(made.json()).sort(), ['brand', 'brand_key', 'webhook_secret']);
  const updated = await kashbox(
    'brands',
    'update',
    'Alo Online',
    '--webhook-url',
    'https://shop.example.com/hook',
    '--session-minutes',
    '30',
    '--json',
  );
  t.like(updated.json(), { webhook_url: 'https://shop.example.com/hook', session_minutes: 30 });
  t.is((await kashbox('brands', 'update', 'Alo Online', '--session-minutes', '0')).code, 2);
  t.is((await kashbox('brands', 'update', 'Alo Online', '--name', 'Alo')).code, 4);
  const shown = (await kashbox('brands', 'show', 'Alo Online', '--json')).json<{ keys: Key[] }>();
  t.is(shown.keys.length, 1);
  const csv = await kashbox('brands', 'list', '--merchant', 'Alo', '--csv');
  t.is(csv.stdout.trimEnd().split('\r\n').length, 3);
});

test.serial(
  'an account replaces the one of its channel and type, and an invalid one is rejected',
  async (t) => {
    const kashbox = await openCli(t);
    await kashbox('merchants', 'create', '--name', 'Alo');
    const set = (channel: string, type: string, number: string) =>
      kashbox(
        'accounts',
        'set',
        '--brand',
        'Alo',
        '--channel',
        channel,
        '--type',
        type,
        '--number',
        number,
        '--json',
      );
    t.is((await set('mfs_a', 'personal', '01711-000001')).code, 0);
    t.is((await set('mfs_a', 'personal', '+8801711000002')).code, 0);
    t.is((await set('mfs_c', 'personal', '017110000031')).code, 0);
    const active = (await kashbox('accounts', 'list', '--json')).json<{ id: string; number: string }[]>();
    t.deepEqual(
      active.map((account) => account.number),
      ['01711000002', '01711000003'],
    );
    t.is((await kashbox('accounts', 'list', '--all', '--json')).json<unknown[]>().length, 3);

    const later = await set('bep20', 'transfer', '0x0');
    t.is(later.code, 2);
    t.is(later.json<Failed>().error.message, 'number must be 0x and 40 characters of 0-9 and a-f');
    t.is((await set('mfs_b', 'payment', '01711000001')).code, 2);
    t.is((await set('mfs_x', 'personal', '01711000001')).code, 2);
    t.is((await set('mfs_a', 'personal', '0171')).code, 2);

    const ids = active.map((account) => account.id).join('\n');
    const disabled = await kashbox.piped(ids, 'accounts', 'disable', '-', '--ndjson');
    t.deepEqual(
      disabled.ndjson<{ active: boolean }>().map((account) => account.active),
      [false, false],
    );
    t.deepEqual((await kashbox('accounts', 'list', '--json')).json(), []);
  },
);
