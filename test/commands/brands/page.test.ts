/** What a brand adds to its checkout page, on the command line: marks of channels, questions, a video. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type Failed, openCli } from '../../helpers/programs/cli.js';
import { jpegLogo, pngLogo } from '../../helpers/shop/logos.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';

async function openAlo(t: ExecutionContext<unknown>) {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const folder = await temporaryFolder(t);
  return {
    fileOf(name: string, content: string | Buffer): string {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    update: (...flags: string[]) => kashbox('brands', 'update', 'Alo', ...flags),
    show: (...flags: string[]) => kashbox('brands', 'show', 'Alo', ...flags),
    refused: async (...flags: string[]) => {
      const ran = await kashbox('brands', 'update', 'Alo', ...flags, '--json');
      t.is(ran.code, 2, flags.join(' '));
      const { message, hint = '' } = ran.json<Failed>().error;
      return `${message}. ${hint}`;
    },
  };
}

interface Shown {
  readonly marks: Readonly<Record<string, object>>;
  readonly questions: readonly object[];
  readonly video: string | null;
}

test.serial('marks are set by a name or code of each channel, shown and removed alone', async (t) => {
  const { fileOf, update, show } = await openAlo(t);
  const [png, jpeg] = [fileOf('a=b.png', pngLogo()), fileOf('b', jpegLogo(64, 64))];
  const names = ['bkash', 'mfs_b', 'Rocket', 'upay', 'bangla-qr', 'binance', 'usdt'];
  const set = await update(
    ...names.flatMap((name) => ['--mark', `${name}=${png}`]),
    '--mark',
    `bank=${jpeg}`,
  );
  t.is(set.code, 0, set.stderr);
  t.regex(set.stdout, /Mark +bKash \(mfs_a\): PNG, 64 x 64 pixels, \d+ bytes\n/);
  t.regex(set.stdout, /Mark +bank: JPEG, 64 x 64 pixels, \d+ bytes\n/);
  const channels = ['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d', 'qr_interbank', 'exchange_pay', 'bep20', 'bank'];
  t.deepEqual(Object.keys((await show('--json')).json<Shown>().marks), channels);

  t.is((await update('--mark', 'bkash=', '--mark', 'mfs_b=')).code, 0);
  t.deepEqual(Object.keys((await show('--json')).json<Shown>().marks), channels.slice(2));
  t.regex((await show()).stdout, /Mark +Rocket \(mfs_c\): PNG/);
  t.notRegex((await show()).stdout, /bKash/);
});

test.serial('rejects marks of wrong files and channels, and changes nothing', async (t) => {
  const { fileOf, show, refused } = await openAlo(t);
  const png = fileOf('a.png', pngLogo());
  const odd = (content: string | Buffer) => refused('--mark', `bkash=${fileOf('odd.png', content)}`);
  t.regex(
    await odd('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    /^mark of mfs_a is not a PNG, .*Save it as/,
  );
  t.regex(await odd(Buffer.alloc(17_000)), /^mark of mfs_a is larger than 16 KiB\. Save it smaller/);
  t.regex(await odd(pngLogo(16, 16)), /^mark of mfs_a has 16 x 16 pixels\. Save it with 32 to 512 pixels/);
  t.regex(await odd(pngLogo(200, 64)), /^mark of mfs_a is too long or too narrow .*at most 2 times/);
  t.regex(
    await refused('--mark', `bkash=${png}.none`),
    /^mark of mfs_a ".*" cannot be read\. Name an existing/,
  );
  t.regex(await refused('--mark', `paypal=${png}`), /^mark: channel "paypal" is unknown\. .*mfs_a, mfs_b/);
  t.regex(await refused('--mark', `=${png}`), /^mark: channel "" is unknown\. Write --mark bkash=FILE/);
  t.regex(
    await refused('--mark', 'bkash'),
    /^mark "mfs_a" does not name a channel and a file\. Write --mark/,
  );
  t.regex(await refused('--mark', `nagad=${png}`, '--mark', `paypal=${png}`), /"paypal" is unknown/);
  t.deepEqual((await show('--json')).json<Shown>().marks, {});
});

test.serial('questions and a video are set, shown, replaced and removed', async (t) => {
  const { update, show } = await openAlo(t);
  const two = [
    '--question',
    'How do I pay with bKash?=Open the app, Send Money.',
    '--question',
    'কেন?=এজন্য।',
  ];
  const set = await update(...two, '--video', 'https://video.example/pay');
  t.is(set.code, 0, set.stderr);
  const lines =
    /Question +How do I pay with bKash\?\nAnswer +Open the app, Send Money\.\nQuestion +কেন\?\nAnswer +এজন্য।\n/;
  t.regex(set.stdout, lines);
  t.regex((await show()).stdout, /Video +https:\/\/video\.example\/pay\n/);
  await update('--question', 'Why?=Because.');
  t.deepEqual((await show('--json')).json<Shown>().questions, [{ question: 'Why?', answer: 'Because.' }]);
  t.is((await update('--question', '', '--video', '')).code, 0);
  const { questions, video } = (await show('--json')).json<Shown>();
  t.deepEqual([questions, video], [[], null]);
  t.notRegex((await show()).stdout, /Question|Answer +|Video/);
});

test.serial('rejects a fourth question, half a question and a video that is not https', async (t) => {
  const { show, refused } = await openAlo(t);
  const four = ['a=b', 'c=d', 'e=f', 'g=h'].flatMap((text) => ['--question', text]);
  t.regex(await refused(...four), /^question may be given at most 3 times, not 4\. Keep the/);
  t.regex(await refused('--question', 'Why?'), /^question "Why\?" needs both .*Write --question '/);
  t.regex(
    await refused('--question', `${'x'.repeat(121)}=y`),
    /at most 120 characters before "=", this has 121/,
  );
  t.regex(
    await refused('--question', `x=${'y'.repeat(601)}`),
    /at most 600 characters after "=", this has 601/,
  );
  for (const video of ['http://video.example', 'javascript:alert(1)', 'https://me:pw@video.example/']) {
    t.regex(await refused('--video', video), /^video must be an https address .*Write it as https:/, video);
  }
  const { questions, video } = (await show('--json')).json<Shown>();
  t.deepEqual([questions, video], [[], null]);
});
