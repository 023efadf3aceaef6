/**
 * The passphrase of a backup, by any way but a flag: flags stand in the list of processes and in the shell's
 * history. Nothing of it is printed.
 */
import { refuse } from '../../base/errors/refuse.js';
import { askHidden } from './ask-hidden.js';
import { requireTerminal } from './require-terminal.js';

const WAYS = 'Name a file that holds it with --passphrase-file, or set KASHBOX_BACKUP_PASSPHRASE.';
const LEFT = { message: 'You left before the end; nothing was changed', hint: WAYS };

/** @throws KashboxError `invalid_input` where nobody can be asked. */
export async function askPassphrase(): Promise<string> {
  requireTerminal('The backup is encrypted, and its passphrase is missing', WAYS);
  return askHidden('Passphrase of the backup (hidden):', LEFT);
}

/** Asks twice: a slip of the finger would cost the backup. @throws KashboxError `invalid_input` */
export async function askNewPassphrase(): Promise<string> {
  requireTerminal('The passphrase is missing', WAYS);
  const passphrase = await askHidden('Passphrase for the backup (hidden):', LEFT);
  if ((await askHidden('Once more (hidden):', LEFT)) === passphrase) return passphrase;
  return refuse('The two are not the same', 'Start again.');
}
