/**
 * Writes the manual pages from the list of commands: kashbox(1), and one page for each topic and each command
 * that has none. What they say is what `--help` says; the words here are only those around it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Has no source beside it; the build leaves it alone when it removes what is stale. */
export const manPages = join(root, 'dist', 'man');

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** A dot or an apostrophe that begins a line would be a request to the formatter. */
const text = (words) =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/gm, '\\&$1');
const quoted = (words) => `"${text(words).replaceAll('"', '\\(dq')}"`;
const bold = (words) => `\\fB${text(words)}\\fR`;
const value = (words) => `\\fI${text(words)}\\fR`;

function page(name, about, sections) {
  const { version } = readJson('package.json');
  return [
    `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`Kashbox ${version}`)} "Kashbox"`,
    '.SH NAME',
    `${text(name)} \\- ${text(about.replace(/\.$/, ''))}`,
    ...sections.flat(),
    '',
  ].join('\n');
}

/** `kashbox payments show` of `payments:show`. */
const nameOf = (command) => `kashbox ${command.id.replaceAll(':', ' ')}`;
const operandOf = (flag) => flag.helpValue ?? (flag.options ? flag.options.join('|') : 'VALUE');

function synopsis(command) {
  const args = Object.values(command.args).map(({ name, required, multiple }) => {
    const word = value(name.toUpperCase()) + (multiple ? ' ...' : '');
    return required ? word : `[${word}]`;
  });
  const flags = Object.values(command.flags).filter((flag) => flag.required);
  const needed = flags.map((flag) => `${bold(`--${flag.name}`)} ${value(operandOf(flag))}`);
  return [bold(nameOf(command)), ...args, ...needed, `[${value('options')}]`].join(' ');
}

function tagged(tag, words) {
  return ['.TP', tag, text(words)];
}

function flagLines(flag) {
  const short = flag.char === undefined ? '' : `${bold(`-${flag.char}`)}, `;
  const operand = flag.type === 'option' ? ` ${value(operandOf(flag))}` : '';
  const one = flag.options && flag.helpValue ? ` One of: ${flag.options.join(', ')}.` : '';
  const repeated = flag.multiple ? ' May be repeated.' : '';
  const described = flag.description ?? '';
  return tagged(
    short + bold(`--${flag.name}`) + operand,
    described + one + (/repeated/.test(described) ? '' : repeated),
  );
}

/** What one command does, its arguments, options and examples. */
function commandLines(command) {
  const argumentLines = Object.values(command.args).flatMap(({ name, description }) =>
    tagged(value(name.toUpperCase()), description ?? ''),
  );
  const flags = Object.values(command.flags).filter((flag) => flag.hidden !== true);
  const examples = (command.examples ?? []).map((example) =>
    example
      .replaceAll('<%= config.bin %> <%= command.id %>', nameOf(command))
      .replaceAll('<%= config.bin %>', 'kashbox'),
  );
  return [
    synopsis(command),
    '.PP',
    text(command.summary ?? ''),
    ...(command.description === undefined ? [] : ['.PP', text(command.description)]),
    ...argumentLines,
    ...flags.flatMap(flagLines),
    ...(examples.length === 0
      ? []
      : ['.PP', 'Examples:', '.PP', '.nf', '.RS 4', ...examples.map((line) => text(line)), '.RE', '.fi']),
  ];
}

const seeAlso = (names) => ['.SH SEE ALSO', names.map((name) => `${bold(name)}(1)`).join(', ')];

const WORDS = {
  about:
    'Kashbox takes payments for shops in Bangladesh: by bKash, Nagad, Rocket and Upay, which phones confirm by their SMS, ' +
    'by Bangla QR, in USDT, and by bank transfer. It runs on a machine of yours. Every command explains itself with --help ' +
    'and prints JSON with --json.',
  environment: [
    [
      'KASHBOX_HOME',
      'The home folder: ledger, secret key, certificate, settings. ~/.kashbox unless told otherwise.',
    ],
    ['KASHBOX_CONTEXT', 'The name of the installation to work on; see kashbox-contexts(1).'],
    [
      'KASHBOX_DATABASE_URL',
      'PostgreSQL address; without it the ledger is a SQLite file in the home folder.',
    ],
    ['NO_COLOR', 'Not empty: no colours.'],
  ],
  settings:
    'Every other setting of the daemon has a variable too, such as KASHBOX_PORT; docs/configuration.md lists them.',
  codes: [
    ['0', 'Done.'],
    ['1', 'Unexpected.'],
    ['2', 'Usage or invalid input.'],
    ['3', 'Not found.'],
    ['4', 'Refused in this state.'],
    ['5', 'Store or daemon not reachable.'],
  ],
};

/** @returns {Record<string, string>} file name -> text */
export function manTexts() {
  const commands = Object.values(readJson('oclif.manifest.json').commands).filter((one) => !one.hidden);
  const { topics } = readJson('package.json').oclif;
  const pages = {};
  const index = [];
  const single = commands.filter(({ id }) => !id.includes(':'));
  for (const command of single) {
    const name = `kashbox-${command.id}`;
    index.push([name, command.summary]);
    const sections = [['.SH SYNOPSIS', ...commandLines(command)], seeAlso(['kashbox'])];
    pages[name] = page(name, command.summary, sections);
  }
  for (const [topic, { description }] of Object.entries(topics)) {
    const name = `kashbox-${topic}`;
    index.push([name, description]);
    const own = commands.filter(({ id }) => id.startsWith(`${topic}:`));
    const sections = own.map((command) => [
      `.SH ${quoted(command.id.replace(':', ' ').toUpperCase())}`,
      ...commandLines(command),
    ]);
    pages[name] = page(name, description, [...sections, seeAlso(['kashbox'])]);
  }
  index.sort();
  pages.kashbox = page('kashbox', 'self-hosted payments for shops in Bangladesh', [
    ['.SH SYNOPSIS', `${bold('kashbox')} ${value('command')} [${value('options')}]`],
    ['.SH DESCRIPTION', text(WORDS.about)],
    ['.SH COMMANDS', ...index.flatMap(([name, words]) => tagged(`${bold(name)}(1)`, words ?? ''))],
    [
      '.SH ENVIRONMENT',
      ...WORDS.environment.flatMap(([name, words]) => tagged(bold(name), words)),
      '.PP',
      text(WORDS.settings),
    ],
    ['.SH EXIT STATUS', ...WORDS.codes.flatMap(([code, words]) => tagged(bold(code), words))],
    seeAlso(index.map(([name]) => name)),
  ]);
  return Object.fromEntries(Object.entries(pages).map(([name, words]) => [`${name}.1`, words]));
}

/** Writes all of them, and removes those of commands that are no more. */
export function buildManPages() {
  rmSync(manPages, { recursive: true, force: true });
  mkdirSync(manPages, { recursive: true });
  for (const [file, words] of Object.entries(manTexts())) writeFileSync(join(manPages, file), words);
}

/** @returns {string[]} the pages that were built, as `man` of package.json names them */
export const manList = () =>
  readdirSync(manPages)
    .sort()
    .map((page) => `./dist/man/${page}`);
