import { readFileSync } from 'node:fs';
import test from 'ava';
import { type Failed, openCli } from '../helpers/programs/cli.js';
import { freshDatabase } from '../helpers/stores/postgres.js';

interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

interface Created {
  readonly merchant: Merchant;
  readonly brand: { readonly id: string; readonly name: string };
  readonly brand_key: string;
  readonly webhook_secret: string;
}

const BANGLA = 'আমার দোকান, "ঢাকা"';

test.serial('merchants create --json prints merchant, brand, key and secret, and nothing else', async (t) => {
  const kashbox = await openCli(t);
  const ran = await kashbox(
    'merchants',
    'create',
    '--name',
    'Amar Dokan',
    '--mobile',
    '+880 1712-345678',
    '--json',
  );
  t.is(ran.code, 0);
  t.is(ran.stderr, '');
  const created = ran.json<Created>();
  t.deepEqual(Object.keys(created).sort(), ['brand', 'brand_key', 'merchant', 'webhook_secret']);
  t.deepEqual(Object.keys(created.merchant), ['id', 'name', 'status']);
  t.deepEqual(Object.keys(created.brand), ['id', 'name']);
  t.is(created.merchant.status, 'ACTIVE');
  t.is(created.brand.name, 'Amar Dokan');
  t.regex(created.brand_key, /^bk_[0-9A-Za-z]{40}$/);
  t.regex(created.webhook_secret, /^whsec_[0-9A-Za-z+/]{43}=$/);
  const shown = (await kashbox('merchants', 'show', 'Amar Dokan', '--json')).json<{ mobile: string }>();
  t.is(shown.mobile, '01712345678');
  const file = readFileSync(`${kashbox.home}/kashbox.db`, 'latin1');
  t.false(file.includes(created.brand_key.slice(8)));
  t.false(file.includes(created.webhook_secret.slice(8)));
});

test.serial('merchants refuses bad input by the name of its field, with exit code 2', async (t) => {
  const kashbox = await openCli(t);
  const wrong: [field: string, ...args: string[]][] = [
    ['name', '--name', ' '],
    ['name', '--name', 'x'.repeat(201)],
    ['name', '--name', 'two\nlines'],
    ['mobile', '--name', 'A', '--mobile', '12345'],
    ['email', '--name', 'A', '--email', 'nobody'],
    ['webhook-url', '--name', 'A', '--webhook-url', 'ftp://shop.example.com'],
    ['webhook-url', '--name', 'A', '--webhook-url', 'http://shop.example.com'],
    ['webhook-url', '--name', 'A', '--webhook-url', 'https://10.0.0.7/hook'],
    ['allow-ip', '--name', 'A', '--allow-ip', '203.0.113.7/99'],
  ];
  for (const [field, ...args] of wrong) {
    const ran = await kashbox('merchants', 'create', ...args, '--json');
    t.is(ran.code, 2, args.join(' '));
    const { error } = ran.json<Failed>();
    t.is(error.code, 'invalid_input');
    t.true(error.message.startsWith(field), error.message);
    t.not(error.hint, '');
  }
  t.deepEqual((await kashbox('merchants', 'list', '--json')).json(), []);
});

test.serial('a name that is taken is refused with exit code 4 and says what to do', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const ran = await kashbox('merchants', 'create', '--name', ' Alo ');
  t.is(ran.code, 4);
  t.is(ran.stdout, '');
  t.is(
    ran.stderr,
    'Error: There is already a merchant named "Alo"\n' +
      'Next: Choose another name, or see it with `kashbox merchants show`.\n',
  );
});

test.serial('ten merchants made at the same moment by ten processes are all there', async (t) => {
  const kashbox = await openCli(t);
  const names = Array.from({ length: 10 }, (_, at) => `Shop ${at}`);
  const ran = await Promise.all(
    names.map((name) => kashbox('merchants', 'create', '--name', name, '--json')),
  );
  t.deepEqual(
    ran.map(({ code }) => code),
    names.map(() => 0),
  );
  const listed = (await kashbox('merchants', 'list', '--json')).json<Merchant[]>();
  t.deepEqual(listed.map((row) => row.name).sort(), names);
});

test.serial(
  'a list comes as array, as lines, as CSV and as a table, and its lines can be piped into show',
  async (t) => {
    const kashbox = await openCli(t);
    await kashbox('merchants', 'create', '--name', BANGLA);
    await kashbox('merchants', 'create', '--name', 'Alo');
    const array = (await kashbox('merchants', 'list', '--json')).json<Merchant[]>();
    t.deepEqual(
      array.map((row) => row.name),
      [BANGLA, 'Alo'],
    );
    const lines = await kashbox('merchants', 'list', '--ndjson');
    t.deepEqual(lines.ndjson<Merchant>(), array);

    const csv = await kashbox('merchants', 'list', '--csv');
    const [head, first] = csv.stdout.split('\r\n');
    t.is(head, 'id,name,status,mobile,whatsapp,email,allow_ips,created_at');
    t.true(first?.includes(',"আমার দোকান, ""ঢাকা""",ACTIVE,'), first);

    const table = (await kashbox('merchants', 'list')).stdout.trimEnd().split('\n');
    t.is(table.length, 3);
    for (const line of table) t.true([...line].length <= 80, line);

    const shown = await kashbox.piped(lines.stdout, 'merchants', 'show', '-', '--json');
    t.is(shown.code, 0);
    t.deepEqual(
      shown.json<Merchant[]>().map((row) => row.id),
      array.map((row) => row.id),
    );
  },
);

test.serial('of several names the unknown one fails by itself and the others are done', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const ran = await kashbox.piped('nobody\n\nAlo\r\n', 'merchants', 'suspend', '-', '--json');
  t.is(ran.code, 3);
  const [unknown, alo, ...rest] = ran.json<(Merchant & Partial<Failed>)[]>();
  t.is(unknown?.error?.code, 'not_found');
  t.is(unknown?.id, 'nobody');
  t.is(alo?.status, 'SUSPENDED');
  t.deepEqual(rest, []);
  const one = await kashbox('merchants', 'activate', 'Alo', '--json');
  t.is(one.json<Merchant>().status, 'ACTIVE');
});

test.serial(
  'merchants update changes what is named and nothing else, and can let any address in again',
  async (t) => {
    const kashbox = await openCli(t);
    await kashbox(
      'merchants',
      'create',
      '--name',
      'Alo',
      '--email',
      'alo@example.com',
      '--allow-ip',
      '203.0.113.7',
    );
    const renamed = await kashbox('merchants', 'update', 'Alo', '--name', 'Alo Ltd', '--json');
    t.like(renamed.json(), { name: 'Alo Ltd', email: 'alo@example.com', allow_ips: ['203.0.113.7'] });
    const opened = await kashbox('merchants', 'update', 'Alo Ltd', '--allow-any-ip', '--json');
    t.deepEqual(opened.json<{ allow_ips: string[] }>().allow_ips, []);
    const nothing = await kashbox('merchants', 'update', 'Alo Ltd', '--json');
    t.is(nothing.code, 2);
    t.is((await kashbox('merchants', 'update', 'Alo', '--mobile', '', '--json')).code, 3);
  },
);

test.serial('the same commands work on PostgreSQL', async (t) => {
  const kashbox = await openCli(t, { KASHBOX_DATABASE_URL: await freshDatabase(t) });
  const ran = await Promise.all(['A', 'B'].map((name) => kashbox('merchants', 'create', '--name', name)));
  t.deepEqual(
    ran.map(({ code, stderr }) => ({ code, stderr })),
    [
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ],
  );
  const listed = (await kashbox('merchants', 'list', '--json')).json<Merchant[]>();
  t.deepEqual(listed.map((row) => row.name).sort(), ['A', 'B']);
});

test.serial('a database that does not answer ends with exit code 5', async (t) => {
  const kashbox = await openCli(t, { KASHBOX_DATABASE_URL: 'postgres://kashbox@127.0.0.1:1/kashbox' });
  const ran = await kashbox('merchants', 'list', '--json');
  t.is(ran.code, 5);
  t.is(ran.json<Failed>().error.code, 'store_unreachable');
});
