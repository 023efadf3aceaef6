/** A brand's look on the command line: files by their content, what show tells, and what is refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { type Failed, openCli } from '../../helpers/programs/cli.js';
import { jpegLogo, pngLogo } from '../../helpers/shop/logos.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';

test.serial('logo, colour and website are set, shown and removed', async (t) => {
  const kashbox = await openCli(t);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'logo.png');
  writeFileSync(file, jpegLogo());
  await kashbox('merchants', 'create', '--name', 'Alo');
  const look = ['--logo', file, '--color', '#fc0', '--website', 'https://alo.example/'];
  const set = await kashbox('brands', 'update', 'Alo', ...look);
  t.is(set.code, 0, set.stderr);
  t.regex(set.stdout, /Website +alo\.example\n/);
  t.regex(set.stdout, /Colour +#ffcc00, on the page #[0-9a-f]{6} by day, so that it can be seen\n/);
  t.regex(set.stdout, /Logo +JPEG, 256 x 128 pixels, \d+ bytes\n/);
  t.regex((await kashbox('brands', 'show', 'Alo')).stdout, /Logo +JPEG, 256 x 128 pixels/);
  const shown = (await kashbox('brands', 'show', 'Alo', '--json')).json();
  t.like(shown, {
    website: 'alo.example',
    colour: '#ffcc00',
    logo: { type: 'jpg', width: 256, height: 128 },
  });

  writeFileSync(file, pngLogo());
  await kashbox('brands', 'update', 'Alo', '--logo', file, '--color', '#00664b');
  const { stdout } = await kashbox('brands', 'show', 'Alo');
  t.regex(stdout, /Logo +PNG, 64 x 64 pixels, \d+ bytes\n/);
  t.regex(stdout, /Colour +#00664b, on the page #[0-9a-f]{6} by night/);

  await kashbox('brands', 'update', 'Alo', '--logo', '', '--color', '', '--website', '');
  t.like((await kashbox('brands', 'show', 'Alo', '--json')).json(), {
    website: null,
    colour: null,
    logo: null,
  });
  const made = ['brands', 'create', '--merchant', 'Alo', '--name', 'Eid', '--logo', file, '--color', '0a7'];
  t.is((await kashbox(...made)).code, 0);
  t.like((await kashbox('brands', 'show', 'Eid', '--json')).json(), {
    colour: '#00aa77',
    logo: { type: 'png', width: 64, height: 64 },
  });
});

test.serial('rejects an invalid logo with exit code 2, the reason and what to do', async (t) => {
  const kashbox = await openCli(t);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'logo.png');
  await kashbox('merchants', 'create', '--name', 'Alo');
  const refused: readonly [content: string | Buffer, message: RegExp, hint: RegExp][] = [
    [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      /^logo is not a PNG, JPEG or WebP/,
      /^Save it as one of them/,
    ],
    [Buffer.alloc(40_000), /^logo is larger than 32 KiB$/, /^Save it smaller/],
    ['', /^logo is not a PNG, JPEG or WebP/, /^Save it as one of them/],
  ];
  for (const [content, message, hint] of refused) {
    writeFileSync(file, content);
    const ran = await kashbox('brands', 'update', 'Alo', '--logo', file, '--json');
    t.is(ran.code, 2);
    const { error } = ran.json<Failed>();
    t.regex(error.message, message);
    t.regex(error.hint ?? '', hint);
  }
  const absent = await kashbox('brands', 'update', 'Alo', '--logo', join(folder, 'none.png'), '--json');
  t.regex(absent.json<Failed>().error.message, /^logo ".*none\.png" cannot be read$/);
  t.is((await kashbox('brands', 'show', 'Alo', '--json')).json<{ logo: unknown }>().logo, null);
});
