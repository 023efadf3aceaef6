/** `kashbox update` */
import { existsSync } from 'node:fs';
import { boolean } from '@oclif/core/flags';
import {
  checkUpdate,
  installedBy,
  npmRegistry,
  upgradeCommand,
} from '../src/actions/installation/newest-version.js';
import { KashboxError } from '../src/base/errors/errors.js';
import type { BaseCommand } from '../src/cli/command/base-command.js';
import { command } from '../src/cli/command/define.js';
import { openHome } from '../src/config/home.js';
import { parseSettings } from '../src/config/settings.js';

/** Unlike 0, which a script takes for the newest version. */
const EXIT_NEWER = 4;

export default command({
  summary: 'Show how to upgrade; --check finds newer versions.',
  description:
    'Kashbox never looks for updates unless you type --check. It then queries the npm registry ' +
    '(npm_config_registry, else the public one), unless KASHBOX_UPDATE_CHECK is false. Exit code 0: this is the ' +
    'newest version, or checks are off. 3: not published there. 4: there is a newer one. 5: the registry gave no ' +
    'usable answer.',
  examples: ['$', '$ --check', '$ --check --json'],
  flags: { check: boolean({ description: 'Find the newest version in the npm registry.' }) },
  async run({ cli, flags }) {
    const current = cli.config.version;
    const check = flags.check ? await findNewest(cli, current) : { state: 'not_checked' as const };
    const newest = 'newest' in check ? check.newest : null;
    const way = installedBy({ root: cli.config.root, node: process.execPath, exists: existsSync });
    const upgrade = upgradeCommand(way, newest ?? 'VERSION', process.arch);
    const shown = { current, newest, state: check.state, installed_by: way, upgrade };
    cli.show(shown, flags, linesOf);
    if (check.state === 'newer') process.exitCode = EXIT_NEWER;
  },
});

/** @throws KashboxError `not_found`, `registry_unavailable`, `invalid_input`, `config_invalid` */
async function findNewest(cli: BaseCommand, current: string) {
  const { folder, env } = await cli.homeFolder();
  // Without an installation there is only the environment.
  const { updateCheck } = parseSettings({}, env, existsSync(folder) ? openHome(folder).settings : {});
  if (!updateCheck) return { state: 'off' as const };
  const registry = npmRegistry(process.env);
  const { host } = registry;
  cli.startsWork('Checking');
  const check = await checkUpdate(registry, current);
  if (check.state === 'failed') {
    throw new KashboxError('registry_unavailable', {
      message: `The npm registry ${host} gave no usable answer: ${check.detail}`,
    });
  }
  if (check.state === 'not_published') {
    throw new KashboxError('not_found', {
      message: `The package "kashbox" is not published at ${host}`,
      hint: 'Set npm_config_registry to the registry that has it, or upgrade from the sources: docs/upgrade.md',
    });
  }
  return check;
}

interface Shown {
  readonly current: string;
  readonly newest: string | null;
  readonly state: 'not_checked' | 'off' | 'up_to_date' | 'newer' | 'ahead';
  readonly upgrade: string;
}

function linesOf({ current, newest, state, upgrade }: Shown): string[] {
  const how = ['Make a backup first (kashbox backup FILE), then:', `  ${upgrade}`];
  switch (state) {
    case 'not_checked':
      return [`This is Kashbox ${current}. To look for a newer version: kashbox update --check`, ...how];
    case 'off':
      return [`This is Kashbox ${current}. Checks are off: KASHBOX_UPDATE_CHECK is false.`];
    case 'up_to_date':
      return [`Kashbox ${current} is the newest version.`];
    case 'newer':
      return [`Kashbox ${newest} is available; this is ${current}. ${how[0]}`, ...how.slice(1)];
    case 'ahead':
      return [`Kashbox ${current} is newer than the published version ${newest}.`];
    default:
      return state satisfies never;
  }
}
