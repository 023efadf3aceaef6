/** `kashbox sms ids`: the list, a file that is exported, and one that is imported. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { openCli } from '../../helpers/programs/cli.js';

test.serial('known ids are listed, exported, imported and refused', async (t) => {
  const kashbox = await openCli(t);
  t.is((await kashbox('merchants', 'create', '--name', 'Alo')).code, 0);
  const listed = await kashbox('sms', 'ids');
  t.is(listed.code, 0, listed.stderr);
  t.regex(listed.stdout, /Nagad +– .*forecast only/);
  t.regex(listed.stdout, /bKash: the ID carries its date\.\nUpay: the ID carries its date\./);
  t.is((await kashbox('sms', 'ids', '--ndjson')).stdout.trim().split('\n').length, 4);
  t.regex((await kashbox('sms', 'ids', '--csv')).stdout, /^channel,ids,newest_id,/);

  const file = join(kashbox.home, 'ids.json');
  await writeFile(file, JSON.stringify({ wallet_ids: [] }));
  t.is((await kashbox('sms', 'ids', '--import', file)).stdout, '0 IDs imported, 0 not needed.\n');
  await writeFile(file, JSON.stringify({ wallet_ids: [{ channel: 'mfs_c', id: '1', at: dhakaIso(0) }] }));
  const refused = await kashbox('sms', 'ids', '--import', file);
  t.is(refused.code, 2);
  t.regex(refused.stderr, /Id 1 \(mfs_c 1 1970-.*\nNext: Nothing was imported/);
  const exported = join(kashbox.home, 'mine.json');
  const made = await kashbox('sms', 'ids', '--export', exported, '--json');
  t.like(made.json<object>(), { file: exported, points: 0 });
  t.deepEqual(JSON.parse(await readFile(exported, 'utf8')), { wallet_ids: [] });
  t.not((await kashbox('sms', 'ids', '--export', exported)).code, 0, 'a file is not overwritten');
  t.deepEqual((await kashbox('sms', 'ids', '--export', '-')).json<object>(), { wallet_ids: [] });
  const piped = await kashbox.piped('{"wallet_ids":[]}', 'sms', 'ids', '--import', '-');
  t.is(piped.code, 0, piped.stderr);
});
