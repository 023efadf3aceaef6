/** `kashbox db copy` */
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type CopyResult, type CopyTarget, copyStore } from '../../src/actions/db/copy-store.js';
import { resolveStoreLocation, type StoreLocation } from '../../src/actions/db/store-location.js';
import { systemClock } from '../../src/base/values/clock.js';
import { systemRandom } from '../../src/base/values/ids.js';
import { command } from '../../src/cli/command/define.js';
import { needed } from '../../src/cli/command/flags.js';
import { longWork } from '../../src/cli/command/long-work.js';
import { loadAddress } from '../../src/cli/input/whole-input.js';
import { heldText } from '../../src/cli/text/table.js';
import { databaseUrlField } from '../../src/config/contexts.js';

/** The store in the home folder. */
const HOME_STORE = 'sqlite';
const URL_FORM = /^[a-z][a-z\d+.-]*:\/\//i;

export default command({
  summary: 'Copy the store to PostgreSQL or SQLite.',
  description:
    'The target must be empty: a database without Kashbox tables, or a file that does not exist. Stop all ' +
    'daemons first. At the end this store is marked as copied, so that no daemon starts on it. If ' +
    'anything fails before, the store is unchanged and the target is empty again. Keys, certificate and ' +
    'settings stay in the home folder; the output says how to switch to the copy.',
  examples: ['cat url.txt | $ --to -', '$ --to sqlite', '$ --to /srv/kashbox/kashbox.db --json'],
  flags: {
    to: needed(
      'URL|FILE',
      'PostgreSQL URL, file, or "sqlite" for kashbox.db in the home folder; "-" reads it from stdin.',
    ),
  },
  async run({ cli, flags }) {
    const { folder, env } = await cli.homeFolder();
    const place = resolveStoreLocation(folder, env);
    const target = await targetOf(flags.to, place);
    const means = { target, clock: systemClock, random: systemRandom, pause };
    const onWait = () =>
      cli.note('A daemon was at work a moment ago. Looking for up to 35 s whether it still is …');
    const copied = await longWork('Copying', (work) => copyStore(place, { ...work, ...means, onWait }));
    const next = nextSteps(place, target, (await cli.choice()).context);
    cli.show({ ...copied, next }, flags, (one) => [...linesOf(one), ...next]);
  },
});

async function targetOf(typed: string, { file }: StoreLocation): Promise<CopyTarget> {
  const named = await loadAddress(typed);
  if (named === HOME_STORE) return { engine: 'sqlite', file };
  if (!URL_FORM.test(named)) return { engine: 'sqlite', file: resolve(named) };
  return { engine: 'postgres', databaseUrl: databaseUrlField(named) };
}

function linesOf({ where, rows, payments, merchants, phones }: CopyResult): string[] {
  return [
    `${where} holds all ${rows} rows now, each compared: ${heldText({ payments, merchants, phones })}.`,
    'Before you start the daemon:',
  ];
}

/** Steps that make Kashbox use the copy; they depend on where the store is configured now. */
function nextSteps(place: StoreLocation, target: CopyTarget, context: string | null): string[] {
  const settings = join(place.folder, 'kashbox.json');
  const setting = place.isInSettings ? `"databaseUrl" in ${settings}` : 'KASHBOX_DATABASE_URL';
  const named =
    context === null ? setting : `the context "${context}" (kashbox contexts add ${context} --force)`;
  const steps =
    target.engine === 'postgres'
      ? [`Set ${named} to the new address, for the daemon and for every command.`]
      : place.databaseUrl === null
        ? [
            `Make ${target.file} the kashbox.db of another home folder, with a copy of all else from ${place.folder}.`,
          ]
        : [
            ...(target.file === place.file ? [] : [`Move ${target.file} to ${place.file}.`]),
            `Take the address out of ${named}.`,
          ];
  const old = place.databaseUrl === null ? place.file : 'The old database';
  return [
    ...steps,
    'Look whether all is well: kashbox doctor, kashbox audit verify',
    `${old} keeps all rows and is marked as copied: no daemon starts on it, and no command changes it.`,
  ].map((step) => `  ${step}`);
}
