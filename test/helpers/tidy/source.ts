/**
 * The files that the tidy rules look at: every file of the repository that a person wrote.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript-classic';

export interface TextFile {
  /** Path inside the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Source extends TextFile {
  readonly tree: ts.SourceFile;
}

/** Installed, built or made by git; not ours to judge. */
const SKIPPED = ['node_modules', 'dist', '.git', 'oclif.manifest.json'];

/** Parses a file of code; `path` decides between TypeScript and JavaScript. */
export function parse(file: TextFile): Source {
  return { ...file, tree: ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true) };
}

export function isCode(file: TextFile): boolean {
  return /\.[mc]?[jt]sx?$/.test(file.path);
}

/** "path:line" of a node, so that an editor can jump there. */
export function at(file: Source, node: ts.Node): string {
  return `${file.path}:${file.tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** Every text file under `root`, without what is installed or built. */
export function readRepository(root: string, folder = ''): TextFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.includes(entry.name) || entry.name.endsWith('.tgz')) return [];
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return readRepository(root, path);
    if (!entry.isFile()) return [];
    const text = readFileSync(join(root, path), 'utf8');
    return text.includes('\0') ? [] : [{ path, text }];
  });
}
