/**
 * The rule about plain words: the table "Words to avoid" of CONTRIBUTING.md, held against names and
 * comments of the product and against the pages. Pure functions of texts.
 */
import ts from 'typescript-classic';
import { at, type Source, type TextFile } from './source.js';

export interface BannedWord {
  /** One or several words in lower case, such as `roll call`. */
  readonly words: string;
  readonly instead: string;
  /** Names and phrases in which the words are allowed, in lower case. */
  readonly allowed: readonly string[];
}

const HEAD = '## Words to avoid';
const PRODUCT = /^(src|daemon|commands|bin|relay-android-ts\/(src|bin))\/.*\.[mc]?[jt]s$/;
/** Without the pages that are made of texts in the code. */
const PAGES = /^(docs\/(?!errors\.|plugins\.)[\w./-]+|README|CONTRIBUTING|relay-android-ts\/README)\.md$/;
/** What only readers with other papers could look up. */
const CITATION = /\bspec(?:ification)? (?:section )?\d|\b(?:design|models|relay-phones|style)\.md\b/i;

const spans = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.toLowerCase());

/** @param guide the text of CONTRIBUTING.md. @returns one entry per word of the table's first column. */
export function bannedWords(guide: string): BannedWord[] {
  const section = guide.split(HEAD)[1]?.split('\n## ')[0] ?? '';
  return section.split('\n').flatMap((line) => {
    const [, words, instead, allowed] = line.split('|').map((cell) => cell.trim());
    if (words === undefined || instead === undefined || !words.includes('`')) return [];
    return spans(words).map((one) => ({ words: one, instead, allowed: spans(allowed ?? '') }));
  });
}

/** `createHeartbeatBatch` -> ` create roll call `. */
function partsOf(name: string): string {
  const parts = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_#$]+/g, ' ');
  return ` ${parts.toLowerCase().trim()} `;
}

/** @returns the banned words in a name. */
export function inName(name: string, banned: readonly BannedWord[]): BannedWord[] {
  const parts = partsOf(name);
  return banned.filter(
    ({ words, allowed }) => parts.includes(` ${words} `) && !allowed.includes(name.toLowerCase()),
  );
}

/** @returns the banned words in prose; what stands between backticks is code and is not judged. */
export function inProse(prose: string, banned: readonly BannedWord[]): BannedWord[] {
  const text = ` ${prose
    .replace(/```[\s\S]*?```|`[^`]*`|\]\([^)]*\)|https?:\S+/g, ' ')
    .replace(/^\s*(?:\*|\/\/)/gm, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase()} `;
  return banned.filter(({ words, allowed }) => {
    const phrases = allowed.filter((one) => one.includes(' '));
    const rest = phrases.reduce((left, phrase) => left.split(phrase).join(' '), text);
    return new RegExp(`[^\\w-]${words}[^\\w-]`).test(rest);
  });
}

/** Every comment of a file with the position where it begins. */
function commentsOf({ tree, text }: Source): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    if (node.kind <= ts.SyntaxKind.LastToken) {
      const ranges = [
        ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
        ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
      ];
      for (const { pos, end } of ranges) found.set(pos, text.slice(pos, end));
    }
    for (const child of node.getChildren(tree)) visit(child);
  };
  visit(tree);
  return found;
}

/** Names and comments of the product. */
export function checkPlainCode(file: Source, banned: readonly BannedWord[]): string[] {
  if (!PRODUCT.test(file.path)) return [];
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = (node as ts.NamedDeclaration).name;
    if (name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && isOwn(node)) {
      for (const { words, instead } of inName(name.text, banned))
        problems.push(`${at(file, node)} names ${name.text}: not "${words}" but ${instead}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  for (const [position, comment] of commentsOf(file)) {
    const where = `${file.path}:${file.tree.getLineAndCharacterOfPosition(position).line + 1}`;
    for (const { words, instead } of inProse(comment, banned))
      problems.push(`${where} says "${words}" in a comment: say ${instead}`);
    if (CITATION.test(comment)) problems.push(`${where} cites what readers cannot open: say the rule itself`);
  }
  return problems;
}

/** True for a name that is given here, not one that is only used. */
function isOwn(node: ts.Node): boolean {
  return !ts.isPropertyAccessExpression(node) && !ts.isImportSpecifier(node) && !ts.isExportSpecifier(node);
}

/** The pages, without the table itself, code, titles in “ ”, and table rows that begin with code. */
export function checkPlainPage({ path, text }: TextFile, banned: readonly BannedWord[]): string[] {
  if (!PAGES.test(path)) return [];
  const prose = (text.split(HEAD)[0] ?? '').replace(/```[\s\S]*?```/g, (code) => code.replace(/[^\n]/g, ''));
  return prose.split('\n').flatMap((line, index) => {
    if (line.startsWith('| `')) return [];
    return inProse(line.replace(/“[^”]*”/g, ' '), banned).map(
      ({ words, instead }) => `${path}:${index + 1} says "${words}": say ${instead}`,
    );
  });
}

/** A row of docs/development/words.md: own phrases, and how often each kind of text may still have them. */
export interface RatchetRow {
  readonly phrases: readonly string[];
  readonly instead: string;
  readonly most: Readonly<Record<TextKind, number>>;
}

type TextKind = 'code' | 'pages' | 'titles';

const KINDS = ['code', 'pages', 'titles'] as const satisfies readonly TextKind[];
const ROW = /^\| (?<phrases>`[^|]+`) \| (?<instead>[^|]+) \|(?<counts>(?: \d+ → \d+ \|){3})$/;
const TITLE = /\btest(?:\.\w+)?\(\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;
const WORD_PAGES = ['CONTRIBUTING.md', 'docs/development/words.md', 'docs/development/texts.md'];

/** @param page text of docs/development/words.md; each count is "before → now". */
export function ratchetRows(page: string): RatchetRow[] {
  return page.split('\n').flatMap((line) => {
    const { phrases, instead, counts } = ROW.exec(line)?.groups ?? {};
    if (phrases === undefined || instead === undefined || counts === undefined) return [];
    const [code = 0, pages = 0, titles = 0] = [...counts.matchAll(/→ (\d+)/g)].map(([, now]) => Number(now));
    return [{ phrases: spans(phrases), instead, most: { code, pages, titles } }];
  });
}

/** @returns the texts in which phrases are counted: code of the product, pages, and titles of tests. */
export function countedTexts(files: readonly TextFile[]): Readonly<Record<TextKind, string>> {
  const all = (wanted: (file: TextFile) => boolean) => files.filter(wanted).map(({ text }) => text);
  const tests = all(({ path }) => /^(?:relay-android-ts\/)?test\/.*\.ts$/.test(path)).join('\n');
  return {
    code: all(({ path }) => PRODUCT.test(path)).join('\n'),
    pages: all(({ path }) => PAGES.test(path) && !WORD_PAGES.includes(path)).join('\n'),
    titles: (tests.match(TITLE) ?? []).join('\n'),
  };
}

/** @returns the number of times each kind of text has one of the phrases, as whole words in any case. */
export function countPhrases(
  phrases: readonly string[],
  texts: Readonly<Record<TextKind, string>>,
): Record<TextKind, number> {
  const either = phrases.map((phrase) => phrase.replaceAll(' ', '\\s+')).join('|');
  const any = new RegExp(`\\b(?:${either})\\b`, 'gi');
  const count = (kind: TextKind) => texts[kind].match(any)?.length ?? 0;
  return { code: count('code'), pages: count('pages'), titles: count('titles') };
}

/** @returns what has become more than the page allows. */
export function checkRatchet(
  rows: readonly RatchetRow[],
  texts: Readonly<Record<TextKind, string>>,
): string[] {
  return rows.flatMap(({ phrases, instead, most }) => {
    const counts = countPhrases(phrases, texts);
    return KINDS.filter((kind) => counts[kind] > most[kind]).map(
      (kind) =>
        `${kind}: "${phrases.join('", "')}" ${counts[kind]} times, at most ${most[kind]}: say ${instead}`,
    );
  });
}
