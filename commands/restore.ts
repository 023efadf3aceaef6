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
import { promptPassphrase } from '../src/cli/input/secrets.js';
import { heldText } from '../src/cli/text/table.js';
import { parseSettings, type Settings } from '../src/config/settings.js';

export default command({
  summary: 'Restore a backup, or verify it with --check.',
  description:
    'Checks every byte of the file against its checksums, shows what it contains, and asks before it ' +
    'continues. The home folder (KASHBOX_HOME) must be empty or not exist. With KASHBOX_DATABASE_URL the ' +
    'data goes into that PostgreSQL database, which must be empty too; otherwise into the home folder. ' +
    'The engine may differ from that of the backup. If anything is wrong, nothing is changed. Never run ' +
    'the old installation and the restored one at the same time.',
  examples: ['$ kashbox.backup --check', '$ kashbox.backup', '$ kashbox.backup --yes --json'],
  args: { file: oneWord('File that `kashbox backup` has made') },
  flags: {
    check: boolean({ description: 'Verify the file and show its contents; change nothing.' }),
    yes: boolean({ description: 'Skip the confirmation.' }),
    'passphrase-file': text('FILE', 'Decrypt it with the first line of this file as passphrase.'),
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
  const settings = parseSettings({ backupPassphraseFile }, env, {});
  const databaseUrl = settings.databaseUrl === '' ? null : settings.databaseUrl;
  return { settings, target: { folder, databaseUrl } };
}

/** @returns null for a backup that is not encrypted. */
async function passphraseFor(file: string, settings: Settings): Promise<string | null> {
  if (!(await isEncryptedBackup(file))) return null;
  const given = settingsPassphrase(settings);
  if (given !== null) return given;
  return promptPassphrase();
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
