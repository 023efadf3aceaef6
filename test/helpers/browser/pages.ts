/** What stands in the pages of the documentation, for tests that hold it against the program. */
import { readFileSync } from 'node:fs';

/** @param path from the root of the repository. */
export function readPage(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}

/** @returns the blocks of code in that language, in their order, without the fences. */
export function blocksOf(page: string, language: string): string[] {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...blocks].map(([, block = '']) => block);
}

/** @returns the text between a heading of the second level and the next one. */
export function sectionOf(page: string, heading: string): string {
  const [, section] = page.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`the page has no section "${heading}"`);
  return section.split('\n## ')[0] ?? '';
}

/** @returns the cells of all rows of the tables in a text, heads included. */
export function tableRows(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line));
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** @returns what stands between backticks in a text. */
export function codesOf(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
