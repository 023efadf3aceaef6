/** Commands take the beginning of an identifier wherever they take an identifier. */
import test from 'ava';
import { type Failed, openCli } from '../../helpers/programs/cli.js';

interface Named {
  readonly id: string;
}

test.serial('payments, phones, brands and keys are named by the beginning of their ids', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('setup', '--merchant-name', 'Alo', '--account', 'mfs_a:personal:01711000001');
  await kashbox('devices', 'enroll', '--merchant', 'Alo', '--name', 'counter-1', '--sim', '1=01711000001');
  await kashbox('payments', 'create', '--brand', 'Alo', '--name', 'R', '--amount', '5');
  const only = async (room: string) => (await kashbox(room, 'list', '--json')).json<Named[]>()[0]?.id ?? '';
  for (const room of ['merchants', 'brands', 'devices']) {
    const id = await only(room);
    const shown = await kashbox(room, 'show', id.slice(0, -6), '--json');
    t.is(shown.json<Named>().id, id, room);
  }
  const [payment] = (await kashbox('payments', 'list', '--json')).json<
    (Named & { gateway_reference: string })[]
  >();
  const number = payment?.gateway_reference ?? '';
  const shown = await kashbox('payments', 'show', number.slice(0, 5).toLowerCase(), '--json');
  t.is(shown.json<Named>().id, payment?.id ?? '');
  const piped = await kashbox.piped(`${number.slice(0, 6)}\nnobody99\n`, 'payments', 'show', '-', '--json');
  const [found, missing] = piped.json<[Named, Failed & Named]>();
  t.is(found.id, payment?.id ?? '');
  t.deepEqual([missing.id, missing.error.code, piped.code], ['nobody99', 'not_found', 3]);
  const brand = (await only('brands')).slice(0, 22);
  const keys = (await kashbox('keys', 'list', '--brand', brand, '--json')).json<Named[]>();
  t.is(keys.length, 1);
  const revoked = await kashbox('keys', 'revoke', (keys[0]?.id ?? '').slice(0, 22), '--json');
  t.is(revoked.json<Named>().id, keys[0]?.id ?? '');
});

test.serial('a beginning that several have changes nothing, and names them', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  for (const name of ['counter-1', 'counter-2']) {
    await kashbox('devices', 'enroll', '--merchant', 'Alo', '--name', name, '--sim', '1=01711000001');
  }
  const list = async () => (await kashbox('devices', 'list', '--json')).json<(Named & { state: string })[]>();
  const ids = (await list()).map(({ id }) => id);
  const refused = await kashbox('devices', 'revoke', (ids[0] ?? '').slice(0, 8), '--json');
  t.is(refused.code, 2);
  for (const id of ids) t.true(refused.json<Failed>().error.message.includes(id));
  t.true((await list()).every(({ state }) => state === 'OFFLINE'));
  const rotated = await kashbox('devices', 'rotate', (ids[0] ?? '').slice(0, 8), '--json');
  t.is(rotated.code, 2);
});
