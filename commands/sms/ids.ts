/** `kashbox sms ids` */
import { boolean } from '@oclif/core/flags';
import {
  exportKnownIds,
  importKnownIds,
  type KnownIdsView,
  knownIdsView,
  listKnownIds,
} from '../../src/actions/sms/wallet-ids.js';
import { systemClock } from '../../src/base/values/clock.js';
import type { BaseCommand } from '../../src/cli/command/base-command.js';
import { command } from '../../src/cli/command/define.js';
import { listFlags, text } from '../../src/cli/command/flags.js';
import { longWork } from '../../src/cli/command/long-work.js';
import { loadJson } from '../../src/cli/input/whole-input.js';
import { saveTexts } from '../../src/cli/text/list-texts.js';
import { dayAndTime } from '../../src/cli/text/table.js';
import { CHANNEL } from '../../src/domain/accounts/channels.js';

const nameOf = ({ channel }: KnownIdsView) => CHANNEL[channel].name.en;

function forecastText({ days_ahead: days }: KnownIdsView): string {
  if (days === null) return '–';
  return `${days < 0 ? '' : '+'}${days} days`;
}

function sourceText({ approved, balance, imported }: KnownIdsView): string {
  const counts = Object.entries({ approved, balance, imported }).filter(([, count]) => count > 0);
  return counts.length === 0 ? 'forecast only' : counts.map(([name, count]) => `${count} ${name}`).join(', ');
}

export default command({
  summary: 'Show which transaction IDs of wallets are known.',
  description:
    'Nagad and Rocket count their transactions. Kashbox forecasts their IDs, and learns them from SMS that paid ' +
    'a payment: those that you approved, and those whose balance follows from the SMS before. An SMS whose ID is ' +
    'neither forecast nor near a learnt one needs manual review. --export writes the learnt IDs without customer ' +
    'data: no payer, amount or merchant, and each ID rounded down to its block. --import takes such a file of ' +
    'another installation that you trust.',
  examples: ['$', '$ --export ids.json', '$ --import ids.json', '$ --json'],
  doing: 'Reading',
  flags: {
    export: text('FILE', 'Write the learnt IDs to a new file; "-" is stdout.', { exclusive: ['import'] }),
    import: text('FILE', 'Import IDs from a file; "-" is stdin.'),
    force: boolean({ description: 'Overwrite an existing file.', dependsOn: ['export'] }),
    ...listFlags,
  },
  async run({ cli, flags }) {
    if (flags.export !== undefined) return exportTo(cli, flags.export, flags);
    if (flags.import !== undefined) return importFrom(cli, flags.import, flags);
    const rows = await listKnownIds(await cli.core());
    const dated = rows.filter(({ ids }) => ids === 'dated');
    await cli.showList(rows, flags, {
      columns: [
        { head: 'WALLET', text: nameOf },
        { head: 'NEWEST ID', text: ({ newest_id }) => newest_id ?? '–' },
        {
          head: 'AT',
          text: ({ newest_at: at }) => (at === null ? '–' : dayAndTime(at, systemClock.now())),
        },
        { head: 'IDS/S', text: ({ ids_per_second: speed }) => String(speed ?? '–'), align: 'right' },
        { head: 'FORECAST', text: forecastText },
        { head: 'KNOWN UNTIL', text: ({ known_until: until }) => until?.slice(0, 10) ?? '–' },
        {
          head: 'LEARNT FROM',
          text: (row) => (row.ids === 'dated' ? '–' : sourceText(row)),
          shrinks: true,
        },
      ],
      below: dated.map((row) => `${nameOf(row)}: the ID carries its date.`),
      csv: knownIdsView.csv(),
      empty: 'No wallet is known.',
    });
  },
});

interface OutputFlags {
  readonly json: boolean | undefined;
}

async function exportTo(
  cli: BaseCommand,
  file: string,
  flags: OutputFlags & { readonly force: boolean },
): Promise<void> {
  const core = await cli.core();
  const exported = await exportKnownIds(core);
  const content = (async function* () {
    yield `${JSON.stringify(exported, null, 2)}\n`;
  })();
  const bytes = await longWork('Writing', (means) =>
    saveTexts({ file, isOverwriting: flags.force, random: core.random, ...means }, content),
  );
  const points = exported.wallet_ids.length;
  if (bytes !== null) cli.show({ file, points, bytes }, flags, () => [`${file}: ${points} IDs.`]);
}

async function importFrom(cli: BaseCommand, file: string, flags: OutputFlags): Promise<void> {
  const content = await loadJson('import', file, {
    long: 'Give a file that `kashbox sms ids --export` has written.',
    wrong: 'Give a file that `kashbox sms ids --export` has written.',
  });
  const result = await importKnownIds(await cli.core(), { file: content, who: cli.who });
  cli.show(result, flags, ({ added, unchanged }) => [`${added} IDs imported, ${unchanged} not needed.`]);
}
