/** `kashbox backup` */
import { constants, setPriority } from 'node:os';
import { boolean } from '@oclif/core/flags';
import { type BackupMade, makeBackup } from '../src/actions/backup/make-backup.js';
import { checkNewPassphrase, settingsPassphrase } from '../src/actions/backup/passphrase.js';
import type { Core } from '../src/actions/core/core.js';
import { command } from '../src/cli/command/define.js';
import { oneWord, text } from '../src/cli/command/flags.js';
import { longWork } from '../src/cli/command/long-work.js';
import { promptNewPassphrase } from '../src/cli/input/secrets.js';
import { heldText } from '../src/cli/text/table.js';

export default command({
  summary: 'Back up the installation to a file.',
  description:
    'The file contains the database with all slips, secret.key, the TLS certificate, your settings and ' +
    'SMS formats. Daemons keep running. The file appears under its name only when it is complete. It ' +
    'contains personal data and the key to every secret: encrypt it with --encrypt (asks for a ' +
    'passphrase), --passphrase-file, KASHBOX_BACKUP_PASSPHRASE or KASHBOX_BACKUP_PASSPHRASE_FILE. Without ' +
    'the passphrase nobody can open it.',
  examples: ['$ kashbox.backup', '$ /media/usb/kashbox.backup --encrypt', '$ kashbox.backup --force --json'],
  args: { file: oneWord('File to write') },
  flags: {
    encrypt: boolean({ description: 'Encrypt it; prompts for a passphrase.' }),
    'passphrase-file': text('FILE', 'Encrypt it with the first line of this file as passphrase.'),
    force: boolean({ description: 'Overwrite an existing file.' }),
  },
  async run({ cli, flags, args }) {
    // Daemons on this machine come first.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const core = await cli.core();
    const order = {
      file: args.file,
      isOverwriting: flags.force,
      passphrase: await passphraseFor(core, flags),
    };
    const made = await longWork('Backing up', (means) => makeBackup(core, { ...order, ...means }));
    for (const note of made.notes) cli.note(`Note: ${note}`);
    cli.show(made, flags, linesOf);
  },
});

async function passphraseFor(
  core: Core,
  flags: { readonly encrypt: boolean; readonly passphraseFile: string | undefined },
): Promise<string | null> {
  const { passphraseFile: backupPassphraseFile = core.settings.backupPassphraseFile } = flags;
  const given = settingsPassphrase({ ...core.settings, backupPassphraseFile });
  if (given !== null) return checkNewPassphrase(given);
  if (!flags.encrypt) return null;
  return checkNewPassphrase(await promptNewPassphrase());
}

function linesOf({ file, bytes, encrypted, payments, merchants, phones }: BackupMade): string[] {
  const size = bytes < 1_048_576 ? `${Math.ceil(bytes / 1_024)} KiB` : `${Math.ceil(bytes / 1_048_576)} MiB`;
  return [
    `${file} (${size}): ${heldText({ payments, merchants, phones })}.`,
    encrypted
      ? 'It is encrypted: keep the passphrase where the backup is not.'
      : 'It is not encrypted, and holds the key to every secret: keep it where only you can read it.',
    `Look whether it is whole: kashbox restore ${file} --check`,
  ];
}
