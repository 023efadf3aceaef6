/** `kashbox restore` */
import { boolean } from '@oclif/core/flags';
import { isEncryptedBackup } from '../src/actions/backup/backup-file.js';
import { settingsPassphrase } from '../src/actions/backup/passphrase.js';
import {
  assertVacant,
  type BackupShown,
  checkBackup,
  restoreBackup,
} from '../src/actions/backup/restore-backup.js';
import { dhakaText } from '../src/base/values/clock.js';
import type { BaseCommand } from '../src/cli/command/base-command.js';
import { command } from '../src/cli/command/define.js';
import { oneWord, text } from '../src/cli/command/flags.js';
import { longWork } from '../src/cli/command/long-work.js';
import { confirm } from '../src/cli/input/ask.js';
import { askPassphrase } from '../src/cli/input/secrets.js';
import { heldText } from '../src/cli/text/table.js';
import { readSettings, type Settings } from '../src/config/settings.js';

export default command({
  summary: 'Restore a backup, or verify it with --check.',
  description:
    'Compares every byte of the file with its checksums, says what it holds, and asks before it goes on. The home ' +
    'folder (KASHBOX_HOME) must not be there yet, or be empty. With KASHBOX_DATABASE_URL the ledger goes into that ' +
    'PostgreSQL, which must be empty too; without, into the home folder. It need not be the engine that the backup came ' +
    'from. If anything is wrong, nothing is changed. Never run the old installation and the restored one at the same time.',
  examples: ['$ kashbox.backup --check', '$ kashbox.backup', '$ kashbox.backup --yes --json'],
  args: { file: oneWord('File that `kashbox backup` has made') },
  flags: {
    check: boolean({ description: 'Only look whether it is whole and what it holds.' }),
    yes: boolean({ description: 'Do not ask.' }),
    'passphrase-file': text('FILE', 'Open it with the passphrase in the first line of this file.'),
  },
  async run({ cli, flags, args: { file } }) {
    const { target, settings } = await surroundings(cli, flags.passphraseFile);
    const passphrase = await passphraseFor(file, settings);
    if (!flags.check) await assertVacant(target);
    const shown = await longWork('Checking', (means) => checkBackup(file, { ...means, passphrase }));
    if (flags.check) return cli.show(shown, flags, (one) => [...linesOf(one), 'It is whole.']);
    if (!flags.yes) await agree(cli, shown, target.folder);
    const { notes } = await longWork('Restoring', (means) =>
      restoreBackup({ ...means, ...target, passphrase, file, now: Date.now() }),
    );
    for (const note of notes) cli.note(`Note: ${note}`);
    cli.show({ ...shown, home: target.folder, notes }, flags, () => [
      ...(flags.yes ? linesOf(shown) : []),
      `All of it is in ${target.folder} now. Look whether all is well: kashbox doctor`,
    ]);
  },
});

/** Loads settings from the environment only: those of kashbox.json are in the backup. */
async function surroundings(cli: BaseCommand, backupPassphraseFile: string | undefined) {
  const { folder, env } = await cli.homeFolder();
  const settings = readSettings({ backupPassphraseFile }, env, {});
  const databaseUrl = settings.databaseUrl === '' ? null : settings.databaseUrl;
  return { settings, target: { folder, databaseUrl } };
}

/** @returns null for a backup that is not encrypted. */
async function passphraseFor(file: string, settings: Settings): Promise<string | null> {
  if (!(await isEncryptedBackup(file))) return null;
  const given = settingsPassphrase(settings);
  if (given !== null) return given;
  return askPassphrase();
}

async function agree(cli: BaseCommand, shown: BackupShown, folder: string): Promise<void> {
  for (const line of linesOf(shown)) cli.note(line);
  await confirm(`Restore it into ${folder}?`, 'Give --yes to restore without being asked.');
}

function linesOf({ file, made_at, kashbox, engine, payments, merchants, phones, files }: BackupShown) {
  const from = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  return [
    `${file}: made ${dhakaText(Date.parse(made_at))} (Bangladesh time) by Kashbox ${kashbox} from ${from}.`,
    `It holds ${heldText({ payments, merchants, phones })}, and ${files.join(', ')}.`,
  ];
}
