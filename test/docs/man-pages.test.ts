/** The manual pages: every command is on one, and the formatter has nothing to say against them. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { root } from '../helpers/programs/processes.js';

const run = promisify(execFile);
const folder = join(root, 'dist', 'man');
const pages = () => readdirSync(folder).sort();
const ENV = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MAN_KEEP_FORMATTING: '' };

/** What a person reads, and what was complained of. */
async function shown(file: string) {
  const { stdout, stderr } = await run('man', ['--warnings', '-E', 'UTF-8', '-l', join(folder, file)], {
    env: ENV,
  });
  return { text: stdout, complaints: stderr };
}

interface Command {
  readonly id: string;
  readonly flags: Readonly<Record<string, { readonly hidden?: boolean }>>;
}

test('every command and each of its flags is on the page of its topic, and every page is named by kashbox(1)', async (t) => {
  const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
    readonly commands: Readonly<Record<string, Command>>;
  };
  const sources = new Map(pages().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  for (const { id, flags } of Object.values(manifest.commands)) {
    const page = sources.get(`kashbox-${id.split(':')[0]}.1`) ?? '';
    const plain = page.replaceAll('\\-', '-');
    t.true(plain.includes(`\\fBkashbox ${id.replaceAll(':', ' ')}\\fR`), id);
    for (const name of Object.keys(flags)) t.true(plain.includes(`\\fB--${name}\\fR`), `${id} --${name}`);
  }
  const { text } = await shown('kashbox.1');
  for (const file of pages()) {
    if (file !== 'kashbox.1') t.regex(text, new RegExp(`${file.replace(/\.1$/, '')}\\(1\\)`));
  }
});

test('npm packs the name of each page, because it installs only those that it finds named', async (t) => {
  const { manList } = (await import(join(root, 'bin/man-pages.js'))) as { manList(): string[] };
  t.deepEqual(
    manList(),
    pages().map((file) => `./dist/man/${file}`),
  );
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  t.regex(scripts.prepack ?? '', /bin\/man-list\.js in$/);
  t.is(scripts.postpack, 'node bin/man-list.js out');
});

test('the formatter warns of nothing, and nothing is cut at 80 columns', async (t) => {
  const files = pages();
  t.true(files.length > 20);
  await Promise.all(
    files.map(async (file) => {
      const { text, complaints } = await shown(file);
      t.is(complaints, '', file);
      t.regex(text, /NAME/);
      t.notRegex(text, /<%=|undefined|\\\\/, file);
    }),
  );
});
