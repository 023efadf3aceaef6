/**
 * The rules about a file's size and words, as pure functions of its text.
 */
import ts from 'typescript-classic';
import { at, type Source, type TextFile } from './source.js';

const MAX_FILE_LINES = 500;
const MAX_FUNCTION_LINES = 70;
const MAX_COLUMNS = 110;

/**
 * What must not stand in the repository: tools and places of those who wrote it, which mean nothing to those
 * who read it. One letter of each is in brackets so that the list does not find itself.
 */
const FORBIDDEN = [
  /\b([c]laude|[a]nthropic|[c]hat-?gpt|[o]penai|[c]opilot)\b/i,
  /\b(large [l]anguage model|[l]lm|ai [a]ssistant|coding [a]gent)s?\b/i,
  /\b[c]o-authored-by:/i,
  /(?<![\w.-])\/[w]ork\//,
  /\/tmp\/[b]rief/,
  // Everybody's npm uses the public one.
  /\b[r]egistry\.(?!npmjs\.org\b)[a-z0-9-]+\.[a-z]{2,}/i,
  /\b[i]ssue #?\d+\b/i,
];

function lineCount(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** No empty files: a file is there because something is in it. */
export function checkNotEmpty(file: TextFile): string[] {
  return file.text.trim() === '' ? [`${file.path} is empty`] : [];
}

export function checkWords(file: TextFile): string[] {
  return file.text.split('\n').flatMap((line, index) => {
    const word = FORBIDDEN.map((pattern) => pattern.exec(line)?.[0]).find((found) => found !== undefined);
    return word === undefined ? [] : [`${file.path}:${index + 1} says "${word}", which does not belong here`];
  });
}

export function checkFileLength(file: Source): string[] {
  const lines = lineCount(file.text);
  return lines > MAX_FILE_LINES ? [`${file.path} has ${lines} lines, over ${MAX_FILE_LINES}`] : [];
}

/** Functions of every kind, with those inside them counted in. */
export function checkFunctionLengths(file: Source): string[] {
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    const lines = ts.isFunctionLike(node) ? lineCount(node.getText()) : 0;
    if (lines > MAX_FUNCTION_LINES) {
      problems.push(`${at(file, node)} has a function of ${lines} lines, over ${MAX_FUNCTION_LINES}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return problems;
}

/** Long lines are for what cannot be broken: text in quotes, patterns, addresses. */
export function checkColumns(file: Source): string[] {
  const quoted = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateExpression(node) ||
      ts.isRegularExpressionLiteral(node)
    ) {
      const line = (position: number) => file.tree.getLineAndCharacterOfPosition(position).line;
      for (let index = line(node.getStart()); index <= line(node.getEnd()); index += 1) quoted.add(index);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return file.text.split('\n').flatMap((text, index) => {
    const long = text.length > MAX_COLUMNS && !quoted.has(index) && !text.includes('://');
    return long ? [`${file.path}:${index + 1} has ${text.length} columns, over ${MAX_COLUMNS}`] : [];
  });
}
