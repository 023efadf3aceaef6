/** Payment links on the command line: made, listed, shown with their code, and closed. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { LinkView, NewLink } from '../../../src/actions/links/links.js';
import { decodeQrImage } from '../../../src/channels/qr-interbank/image.js';
import { type Cli, type Failed, openCli } from '../../helpers/programs/cli.js';
import { jpegLogo } from '../../helpers/shop/logos.js';
import { scanned } from '../../helpers/shop/qr.js';

const PUBLIC = { KASHBOX_PUBLIC_URL: 'https://pay.example.com', KASHBOX_BASE_PATH: '/k' };

async function openShop(kashbox: Cli): Promise<void> {
  const ran = await kashbox('merchants', 'create', '--name', 'Alo', '--json');
  if (ran.code !== 0) throw new Error(ran.stderr + ran.stdout);
}

const create = (kashbox: Cli, ...more: readonly string[]) =>
  kashbox('links', 'create', '--brand', 'Alo', ...more);

test.serial('a link is made with its code, in the terminal and as a picture', async (t) => {
  const kashbox = await openCli(t, PUBLIC);
  await openShop(kashbox);
  const png = join(kashbox.home, 'sari.png');
  const made = await create(
    kashbox,
    ...['--title', 'Jamdani sari', '--amount', '৪৫০০', '--max-payments', '১', '--qr-png', png],
    ...['--field', 'name*=Your name', '--field', 'size=Size'],
  );
  t.is(made.code, 0, made.stderr);
  const [, url = ''] = /Link +(https:\S+)/.exec(made.stdout) ?? [];
  t.regex(url, /^https:\/\/pay\.example\.com\/k\/pay\/[2-9a-z]{12}$/);
  t.is(scanned(made.stdout.split('\n').filter((line) => /[█▀▄]/.test(line))), url);
  t.deepEqual(await decodeQrImage(readFileSync(png)), { ok: true, text: url });
  t.is(statSync(png).mode & 0o777, 0o600);
  for (const text of ['name: Your name, required', 'size: Size', '4500.00 BDT', '0 of 1, opened 0']) {
    t.true(made.stdout.includes(text), text);
  }
  t.true(made.stderr.includes(`The QR code is in ${png}.`));
  t.false(made.stderr.includes('KASHBOX_PUBLIC_URL'));

  const again = await kashbox('links', 'show', url, '--qr-png', png, '--json');
  t.is(again.json<Failed>().error.code, 'already_exists');
  writeFileSync(png, 'old');
  const shown = await kashbox('links', 'show', url, '--qr-png', png, '--force');
  t.is(shown.code, 0, shown.stderr);
  t.is(shown.stdout, made.stdout);
  t.deepEqual(await decodeQrImage(readFileSync(png)), { ok: true, text: url });
});

test.serial('a picture that cannot be written makes no link', async (t) => {
  const kashbox = await openCli(t, PUBLIC);
  await openShop(kashbox);
  const nowhere = join(kashbox.home, 'nowhere', 'code.png');
  t.is((await create(kashbox, '--amount', '5', '--qr-png', nowhere)).code, 2);
  t.deepEqual((await kashbox('links', 'list', '--json')).json(), []);
});

test.serial('links are listed, piped on, and closed', async (t) => {
  const kashbox = await openCli(t, PUBLIC);
  await openShop(kashbox);
  t.regex((await kashbox('links', 'list')).stdout, /kashbox links create/);
  const one = (await create(kashbox, '--amount', '500', '--json')).json<LinkView>();
  t.like(one, { amount: '500.00', min: '500.00', max: '500.00', state: 'ACTIVE', count: null, until: null });
  const chosen = ['--min', '50', '--max', '50000', '--title', 'Donation', '--until', '2h'];
  t.is((await create(kashbox, ...chosen)).code, 0);
  const table = (await kashbox('links', 'list')).stdout;
  t.regex(table, /CREATED.*ID.*BRAND.*TITLE.*AMOUNT.*PAID.*STATE/);
  t.regex(table, /Donation +50\.00 to 50000\.00 +0 +ACTIVE/);
  const csv = (await kashbox('links', 'list', '--csv')).stdout;
  t.regex(csv, /^id,brand,title,state,amount,min,max,until,count,opened,paid,created_at,disabled_at,url/);
  const all = await kashbox('links', 'list', '--ndjson');
  t.is(all.ndjson().length, 2);
  const closed = await kashbox.piped(all.stdout, 'links', 'disable', '-', '--json');
  t.is(closed.code, 0, closed.stderr);
  t.deepEqual(
    closed.json<LinkView[]>().map(({ state }) => state),
    ['DISABLED', 'DISABLED'],
  );
  const shown = await kashbox.piped(all.stdout, 'links', 'show', '-', '--ndjson');
  t.is(shown.ndjson<LinkView>().filter(({ disabled_at }) => disabled_at !== null).length, 2);
  t.is((await kashbox('links', 'show', one.id, 'x', '--qr-png', 'a.png')).code, 2);
  t.is((await kashbox('links', 'show', '222222222222')).code, 3);
  t.deepEqual((await kashbox('payments', 'list', '--link', one.url, '--json')).json(), []);
  t.is((await kashbox('payments', 'list', '--link', '222222222222')).code, 3);
  t.is((await kashbox('payments', 'export', '-', '--link', one.id, '--format', 'json')).stdout, '[]\n');
});

test.serial('invalid input is named, with what to type instead', async (t) => {
  const kashbox = await openCli(t);
  await openShop(kashbox);
  const wrong: readonly (readonly [RegExp, ...string[]])[] = [
    [/There is no amount/],
    [/--min|max/, '--min', '5'],
    [/min/, '--amount', '5', '--min', '1', '--max', '9'],
    [/"1e3" is not a valid amount/, '--amount', '1e3'],
    [/must be from 1\.00 to 1000000\.00/, '--amount', '0.5'],
    [/over already/, '--amount', '5', '--until', '2020-01-01'],
    [/is no time/, '--amount', '5', '--until', '2026-02-31'],
    [/is no time/, '--amount', '5', '--until', 'yesterday'],
    [/has no "="/, '--amount', '5', '--field', 'size'],
    [/the name "Size"/, '--amount', '5', '--field', 'Size=Size'],
    [/title must have 1 to 100/, '--amount', '5', '--title', 'x'.repeat(101)],
  ];
  for (const [says, ...flags] of wrong) {
    const ran = await create(kashbox, ...flags);
    t.is(ran.code, 2, flags.join(' '));
    t.regex(ran.stderr, says, flags.join(' '));
  }
  const made = await create(kashbox, '--amount', '5');
  t.regex(
    made.stderr,
    /^Note: Customers cannot open .* KASHBOX_PUBLIC_URL .*kashbox links show \w+ --qr-png FILE --force$/m,
  );
});

test.serial('a link has picture, description and quantity, which can be changed', async (t) => {
  const kashbox = await openCli(t, PUBLIC);
  await openShop(kashbox);
  const file = join(kashbox.home, 'mug.jpg');
  writeFileSync(file, jpegLogo(400, 300));
  const details = ['--image', file, '--description', 'For 300 ml.\nBlue.', '--quantity', '১০'];
  const made = await create(kashbox, '--amount', '350', '--title', 'Mug', ...details);
  t.is(made.code, 0, made.stderr);
  for (const line of [
    /Description +For 300 ml\. Blue\./,
    /Image +JPEG, 400 x 300 pixels/,
    /Quantity +1 to 10/,
  ])
    t.regex(made.stdout, line);
  const [, url = ''] = /Link +(https:\S+)/.exec(made.stdout) ?? [];
  const update = (...more: readonly string[]) => kashbox('links', 'update', url, ...more, '--json');
  t.like((await update('--image', '', '--quantity', '1')).json(), {
    image: null,
    quantity: null,
    amount: '350.00',
  });
  t.regex((await update('--suggest', '100')).stdout, /suggest needs a link/);
  t.regex((await update('--image', join(kashbox.home, 'none.png'))).stdout, /image \S+ cannot be read/);
  t.regex((await update()).stdout, /Nothing to change/);
  const open = ['--min', '50', '--max', '5000', '--suggest', '১০০,500'];
  t.regex((await create(kashbox, ...open)).stdout, /Suggests +100\.00, 500\.00 BDT/);
});

test.serial('a counter display is made, driven and given another address', async (t) => {
  const kashbox = await openCli(t, PUBLIC);
  await openShop(kashbox);
  const made = await create(kashbox, '--display', '--title', 'Counter 1', '--json');
  t.is(made.code, 0, made.stderr);
  const { id, display_url: url = '', ...link } = made.json<NewLink>();
  t.regex(url, /^https:\/\/pay\.example\.com\/k\/display\/[0-9A-Za-z]{32}$/);
  t.like(link, { display: true, min: '1.00', max: '1000000.00', title: 'Counter 1' });
  const shown = await kashbox('links', 'show', id);
  t.regex(shown.stdout, /Display +its address was shown once; --new-display makes another/);
  t.false(shown.stdout.includes(url));
  t.is((await kashbox('links', 'show', id, '--qr-png', 'a.png')).code, 2);
  const renewed = (await kashbox('links', 'update', id, '--new-display')).stdout;
  t.regex(renewed, /Display +https:\/\/pay\.example\.com\/k\/display\/[0-9A-Za-z]{32}/);
  t.false(renewed.includes(url));

  t.is((await kashbox('links', 'display', id)).code, 2);
  const paying = await kashbox(
    'links',
    'display',
    id,
    '--amount',
    '২৫০',
    '--description',
    'Table 4',
    '--json',
  );
  t.is(paying.code, 0, paying.stderr);
  const { gateway_reference: name } = paying.json<{ gateway_reference: string }>();
  t.is((await kashbox('links', 'display', id, '--amount', '5')).code, 4, 'a customer may be paying');
  t.like((await kashbox('payments', 'show', name, '--json')).json(), { link: id, amount: '250.00' });
  t.regex((await kashbox('links', 'display', id, '--clear')).stdout, new RegExp(`${name} is cancelled`));
  t.regex((await kashbox('links', 'display', id, '--clear')).stdout, /No payment was open/);
});
