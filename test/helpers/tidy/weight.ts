/**
 * What the repository weighs: lines, and the signs of a subject that was cut into too many pieces. The test
 * of the house rules holds each figure under a limit, which may only fall.
 */
import { posix } from 'node:path';
import ts from 'typescript-classic';
import { importsOf, localTarget } from './imports.js';
import type { Source, TextFile } from './source.js';
import { PRODUCT } from './subjects.js';

const TESTS = /^(test|relay-android-ts\/test)\//;
const WRITTEN = /\.(ts|js|css|eta|html)$/;
/** A file of so many lines belongs into the only one that imports it. */
const SMALL_LINES = 45;
/** A row of a table that grows by files, one each. */
const ROWS = /^(commands|src\/store\/(migrations|tables)|src\/domain\/wallets)\//;

export const linesOf = ({ text }: TextFile): number => text.trimEnd().split('\n').length;

const sum = (files: readonly TextFile[]) => files.reduce((total, file) => total + linesOf(file), 0);

/** @returns lines of what runs at an operator, and of its tests; blank lines and comments count. */
export function lineTotals(files: readonly TextFile[]): { product: number; tests: number } {
  const written = files.filter(({ path }) => WRITTEN.test(path));
  return {
    product: sum(written.filter(({ path }) => PRODUCT.test(path))),
    tests: sum(written.filter(({ path }) => TESTS.test(path))),
  };
}

const productOf = (files: readonly Source[]) => files.filter(({ path }) => PRODUCT.test(path));

/** Files of the product by the path that is imported, each with the other files that import it. */
function importersOf(files: readonly Source[]): Map<string, Set<string>> {
  const importers = new Map(files.map(({ path }) => [path, new Set<string>()]));
  for (const file of files) {
    for (const { specifier } of importsOf(file)) {
      const target = localTarget(file, specifier)?.replace(/\.js$/, '.ts');
      if (target !== undefined && target !== file.path) importers.get(target)?.add(file.path);
    }
  }
  return importers;
}

/** @returns small files that only one other imports: "path (lines) belongs into importer". */
export function smallFiles(files: readonly Source[]): string[] {
  const product = productOf(files);
  const importers = importersOf(product);
  return product.flatMap((file) => {
    const [importer, ...others] = importers.get(file.path) ?? [];
    if (importer === undefined || others.length > 0 || ROWS.test(file.path)) return [];
    const lines = linesOf(file);
    return lines < SMALL_LINES ? [`${file.path} (${lines}) belongs into ${importer}`] : [];
  });
}

const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  if (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  )
    return statement.name === undefined ? [] : [statement.name.text];
  return [];
}

/** Names that a file takes from others: "path name", also by `(await import('x')).name` and destructuring. */
function takenBy(file: Source): Set<string> {
  const taken = new Set<string>();
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const target = ts.isStringLiteral(node.moduleSpecifier)
        ? localTarget(file, node.moduleSpecifier.text)
        : undefined;
      if (target !== undefined) for (const name of importedNames(node)) taken.add(`${target} ${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  for (const { specifier, dynamic } of importsOf(file)) {
    const target = localTarget(file, specifier);
    if (dynamic && target !== undefined) taken.add(`${target} *`);
  }
  return taken;
}

function importedNames(node: ts.ImportDeclaration | ts.ExportDeclaration): string[] {
  const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  if (bindings === undefined) return ts.isExportDeclaration(node) ? ['*'] : ['default'];
  if (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))
    return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
  return ['*'];
}

/** @returns exports of the product, and those that exactly one other file uses, be it a test. */
export function exportUse(files: readonly Source[]): { all: number; single: string[] } {
  const product = productOf(files);
  const users = new Map<string, number>();
  const whole = new Map<string, Set<string>>();
  for (const file of files) {
    for (const name of takenBy(file)) {
      users.set(name, (users.get(name) ?? 0) + 1);
      const [path = '', what] = name.split(' ');
      if (what === '*') whole.set(path, (whole.get(path) ?? new Set<string>()).add(file.text));
    }
  }
  const exported = product.flatMap((file) => {
    const path = file.path.replace(/\.ts$/, '.js');
    return file.tree.statements
      .filter(isExported)
      .flatMap(namesOf)
      .map((name) => ({ path, name }));
  });
  const single = exported.filter(({ path, name }) => {
    const byWhole = [...(whole.get(path) ?? [])].filter((text) =>
      new RegExp(`\\b${name}\\b`).test(text),
    ).length;
    return (users.get(`${path} ${name}`) ?? 0) + byWhole === 1;
  });
  return { all: exported.length, single: single.map(({ path, name }) => `${path} ${name}`) };
}

/** @returns names of types that several files of the product declare: "Name: path, path". */
export function doubledTypes(files: readonly Source[]): string[] {
  const places = new Map<string, string[]>();
  for (const file of productOf(files)) {
    for (const statement of file.tree.statements) {
      if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) continue;
      const name = statement.name.text;
      places.set(name, [...(places.get(name) ?? []), posix.normalize(file.path)]);
    }
  }
  return [...places]
    .filter(([, paths]) => new Set(paths).size > 1)
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}
