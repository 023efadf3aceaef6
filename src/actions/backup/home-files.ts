/** The files of the home folder that belong to a backup, beside the ledger. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface HomeFile {
  /** Its path in the home folder. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Without the first no secret can be opened. */
const FILES = ['secret.key', 'kashbox.json'];

/** Read at once: what an operator edits meanwhile is in it whole, as it was before or after. */
export function homeFiles(folder: string): HomeFile[] {
  const tls = namesIn(join(folder, 'tls')).map((name) => `tls/${name}`);
  const formats = namesIn(join(folder, 'formats')).filter((name) => name.endsWith('.json'));
  const names = [...FILES, ...tls, ...formats.map((name) => `formats/${name}`)];
  return names
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}
