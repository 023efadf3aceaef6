/** The passphrase that the settings name, and what a new one must be. */
import { readFileSync } from 'node:fs';
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { MAX_PASSPHRASE, MIN_PASSPHRASE, type Settings } from '../../config/settings.js';

/** @returns null where none is set. @throws KashboxError `config_invalid` if the file cannot be used */
export function settingsPassphrase({
  backupPassphrase,
  backupPassphraseFile: file,
}: Pick<Settings, 'backupPassphrase' | 'backupPassphraseFile'>): string | null {
  if (file === '') return backupPassphrase === '' ? null : backupPassphrase;
  const text = firstLine(file);
  if (text !== '') return text;
  throw new KashboxError('config_invalid', {
    message: `The passphrase file ${file} has an empty first line`,
    hint: 'Write the passphrase into its first line.',
  });
}

function firstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? '';
  } catch (cause) {
    throw new KashboxError('config_invalid', {
      message: `The passphrase file ${file} cannot be read`,
      hint: 'Name an existing file that this user can read.',
      cause,
    });
  }
}

/** @throws KashboxError `invalid_input` for one that could be guessed. */
export function checkNewPassphrase(passphrase: string): string {
  if (passphrase.length >= MIN_PASSPHRASE && passphrase.length <= MAX_PASSPHRASE) return passphrase;
  return refuse(
    `A passphrase has ${MIN_PASSPHRASE} to ${MAX_PASSPHRASE} characters`,
    'Use four or five words that nobody else would combine.',
  );
}
