/**
 * gammu (1.42) makes the name of its file from the name of the sender, and does not mind a `/` in it: it
 * cannot write the file then, and would try so for ever and take no other SMS. Here are the folders that it
 * needs.
 */
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../../../ports/node-files.js';
import { asciiOfName } from './gsm7.js';
import type { PduFacts } from './pdu-facts.js';

/** Below gammu's inbox. A name has no room for so many `..` that it could leave it. */
export const ODD_FOLDER = 'd';
const DEPTH = 8;

/** Makes sure that gammu can write an SMS with these facts below `inbox`. Most names need nothing. */
export async function makeRoomFor({ key, sender, senderType }: PduFacts, inbox: string): Promise<void> {
  if (senderType !== 'alphanumeric') return;
  const [stamp = ''] = key.split(' ', 1);
  const name = asciiOfName(sender.split('@', 1)[0] ?? '').replace(/\*/g, 'X');
  if (!name.includes('/')) return;
  const [first = '', ...others] = name.split('/').slice(0, -1);
  let folder = join(inbox, ...Array<string>(DEPTH).fill(ODD_FOLDER));
  await mkdir(folder, { recursive: true });
  const link = join(inbox, `IN20${stamp.slice(0, 6)}_${stamp.slice(6)}_00_${first}`);
  await symlink(folder, link).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  for (const other of others) {
    folder = other === '..' ? dirname(folder) : join(folder, other);
    await mkdir(folder, { recursive: true });
  }
}
