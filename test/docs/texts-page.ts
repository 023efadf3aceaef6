/**
 * docs/development/texts.md: texts for customers and operators in English and Bangla side by side, for a
 * native reader to check. `node dist/test/docs/texts-page.js --write` writes it; a test compares.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BN } from '../../daemon/checkout/texts/bn.js';
import { EN } from '../../daemon/checkout/texts/en.js';
import { BANGLA } from '../../src/cli/language/bangla.js';

export const PAGE = fileURLToPath(new URL('../../../docs/development/texts.md', import.meta.url));

/** A text of the page: its place such as "choose.title", and its words with the values as {1}, {2}. */
type Entry = readonly [place: string, text: string];

const AFTERNOON = 15;
/** They say which language it is, and nothing to a reader. */
const NO_TEXTS = new Set(['language', 'locale', 'other']);

/** @returns every text below a value, in the order of the source. */
function entries(value: unknown, place: string): Entry[] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value === 'function') {
    // A list with one placeholder reads like a text, and can be joined where a text takes several values.
    const values: unknown[] = Array.from({ length: value.length }, (_, at) => [`{${at + 1}}`]);
    if (place === 'timeOfDay') values[0] = AFTERNOON;
    return entries((value as (...values: unknown[]) => unknown)(...values), place);
  }
  const parts = Object.entries(value as object).filter(([key]) => !(place === '' && NO_TEXTS.has(key)));
  return parts.flatMap(([key, part]) => entries(part, place === '' ? key : `${place}.${key}`));
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

/** @returns the page; throws where one language lacks a text of the other. */
export function textsPage(): string {
  const bangla = new Map(entries(BN, ''));
  const checkout = entries(EN, '').map(([place, english]) => {
    const text = bangla.get(place);
    if (text === undefined) throw new Error(`no Bangla text at ${place}`);
    return [`\`${place}\``, english, text];
  });
  return `# Texts in English and Bangla

This page is for a native reader of Bangla who checks the texts. It is generated: change the sources, not this page.
\`{1}\`, \`{2}\` are values such as names and amounts; \`{}\` is filled in by the page's script.

## Checkout page

Sources: \`daemon/checkout/texts\`. The seller is addressed with the polite form (করবেন); one spelling a word.

${table(['Place', 'English', 'Bangla'], checkout)}

## Commands, alerts and doctor

Source: \`src/cli/language/bangla.ts\`.

${table(['English', 'Bangla'], Object.entries(BANGLA))}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--write')) {
  writeFileSync(PAGE, textsPage());
}
