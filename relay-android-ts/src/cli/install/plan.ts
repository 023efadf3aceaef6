/**
 * Installation plan for any target: one list of files and commands, printed with --dry-run and executed
 * without it. Independent of phones and modems.
 */
import { chmod, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RelayError } from '../../core/errors.js';
import { ifExists, makeFolder, readTextIfExists, writeFileDurably } from '../../ports/node-files.js';

export interface PlannedFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  /** Source file of the text; set if the text is too long to be printed. */
  readonly copyOf?: string;
}

/** The program and its arguments. */
export type Command = readonly [string, ...string[]];

export interface InstallPlan {
  /** Files in the order in which they are written. */
  readonly files: readonly PlannedFile[];
  /** Written by another version or for other modems, and not wanted now. */
  readonly leftovers: readonly string[];
  /** Run when the files are there, before the agent is paired. */
  readonly prepare: readonly Command[];
  /** Run when it is paired. */
  readonly start: readonly Command[];
}

/** Options for the target: files in /usr are shared by all users, while a phone has one user. */
interface WritePlanOptions {
  /** Folder used as `/`; empty for the machine itself. */
  readonly root?: string;
  readonly folderMode?: number;
}

/** True if the file is missing or differs from the plan. */
export async function isOther({ path, text }: PlannedFile, root = ''): Promise<boolean> {
  return (await readTextIfExists(join('/', root, path))) !== text;
}

/** @returns whether any of it was not there already, as it is now. */
export async function writePlan(plan: InstallPlan, options: WritePlanOptions = {}): Promise<boolean> {
  const { root = '', folderMode } = options;
  let isNew = false;
  for (const file of plan.files) {
    const path = join('/', root, file.path);
    if (!(await isOther(file, root))) {
      await chmod(path, file.mode);
      continue;
    }
    isNew = true;
    await makeFolder(dirname(path), folderMode);
    await writeFileDurably(path, file.text, file.mode);
  }
  return (await removePaths(plan.leftovers, root)) || isNew;
}

/** @returns whether any of them was there. */
export async function removePaths(paths: readonly string[], root = ''): Promise<boolean> {
  let wasThere = false;
  for (const path of paths.map((one) => join('/', root, one))) {
    const removed = await ifExists(rm(path, { recursive: true }).then(() => true));
    wasThere = removed === true || wasThere;
  }
  return wasThere;
}

/** Formats the plan for --dry-run: every file with its content, and every command. */
export function describePlan({ files, leftovers, prepare, start }: InstallPlan): string {
  const shown = files.flatMap(({ path, text, copyOf }) =>
    copyOf === undefined
      ? [`Would write ${path}:`, ...indented(text.trimEnd().split('\n')), '']
      : [`Would copy ${copyOf}`, `        to ${path}`, ''],
  );
  const removed = leftovers.map((path) => `Would remove ${path} if it is there`);
  const gap = removed.length === 0 ? [] : [''];
  return [...shown, ...removed, ...gap, 'Would then run:', ...commandLines([...prepare, ...start])].join(
    '\n',
  );
}

/** Formats commands as a user would type them in a shell. */
export function commandLines(commands: readonly Command[]): string[] {
  return indented(commands.map((words) => words.map(quoteIfNeeded).join(' ')));
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const quoteIfNeeded = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote(word));

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`.trimEnd());
}

/** Detects how this program is installed: as the single file, which can be copied, or as an npm package. */
export function ownProgram(): { readonly kind: 'one_file' | 'package'; readonly path: string } {
  const file = fileURLToPath(import.meta.url);
  if (file.endsWith('.mjs')) return { kind: 'one_file', path: file };
  const start = new URL('../../../../bin/kashbox-relay.js', import.meta.url);
  return { kind: 'package', path: fileURLToPath(start) };
}

/** The one file, to be written to `path`. @throws RelayError `not_one_file` for the package */
export async function copyOfProgram(path: string, mode: number): Promise<PlannedFile> {
  const own = ownProgram();
  if (own.kind !== 'one_file') throw new RelayError('not_one_file');
  return { path, text: await readFile(own.path, 'utf8'), mode, copyOf: own.path };
}
