/** `kashbox payments export` */
import { boolean, option } from '@oclif/core/flags';
import { exportPages } from '../../src/actions/sessions/export-payments.js';
import { exportView } from '../../src/actions/sessions/payment-view.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { systemClock } from '../../src/base/values/clock.js';
import { command } from '../../src/cli/command/define.js';
import { brandFlag, linkFlag, optionalWord, spanFlags } from '../../src/cli/command/flags.js';
import { longWork } from '../../src/cli/command/long-work.js';
import { spanMs } from '../../src/cli/input/time.js';
import { chooseFormat, LIST_FORMATS, listTexts, saveTexts } from '../../src/cli/text/list-texts.js';
import { PAY_CHANNELS } from '../../src/domain/accounts/channels.js';
import { STATUSES } from '../../src/domain/sessions/session.js';

export default command({
  summary: 'Export payments to a CSV file.',
  description:
    'Exports all matching payments: price, paid amount, fee, net, channel, transaction, receiving ' +
    'account, payer, times in Bangladesh time, and metadata. --since and --until refer to the time of ' +
    'creation. The file is readable by you only and appears under its name when it is complete. With "-", ' +
    'or without a file name in a pipe, rows go to stdout. Daemons keep running; a payment that completes ' +
    'during the export is written with its latest status.',
  examples: [
    '$ payments.csv',
    '$ august.csv --since 2026-08-01 --until 2026-09-01 --status COMPLETED',
    '$ - --format ndjson | gzip > payments.ndjson.gz',
  ],
  args: { file: optionalWord('File to write; "-" is stdout') },
  flags: {
    brand: brandFlag,
    status: option({ options: STATUSES, description: 'Only this status.' })(),
    channel: option({ options: PAY_CHANNELS, description: 'Only payments received on this channel.' })(),
    link: linkFlag,
    ...spanFlags,
    format: option({
      options: LIST_FORMATS,
      description: 'Format (default: by file extension .ndjson or .json, else csv).',
    })(),
    bom: boolean({
      description: 'Begin the CSV with a byte order mark, so that Excel shows Bangla.',
    }),
    force: boolean({ description: 'Overwrite an existing file.' }),
  },
  async run({ cli, flags, args: { file = '-' }, args }) {
    const span = spanMs(flags.since, flags.until, systemClock.now());
    const format = chooseFormat(file, flags.format);
    if (args.file === undefined && process.stdout.isTTY) {
      refuse('An export wants a file', 'Name one: kashbox payments export payments.csv, or "-" to print it.');
    }
    if (file === '-' && flags.json) {
      refuse('--json tells of the file that was written', 'Name a file, or choose the rows: --format json.');
    }
    const core = await cli.core();
    const { brand, status, channel, link, force: isOverwriting } = flags;
    let payments = 0;
    const pages = async function* () {
      for await (const rows of exportPages(core, { brand, status, channel, link, ...span })) {
        payments += rows.length;
        yield rows;
      }
    };
    if (flags.bom && format !== 'csv') {
      refuse('--bom is for CSV', 'Leave it out: programs that read JSON refuse such a mark.');
    }
    const rows = listTexts(format, pages(), exportView.csv());
    const texts = flags.bom ? withMark(rows) : rows;
    const bytes = await longWork('Writing', (means) =>
      saveTexts({ file, isOverwriting, random: core.random, ...means }, texts),
    );
    if (bytes !== null)
      cli.show({ file, format, payments, bytes }, flags, () => [`${file}: ${payments} payments.`]);
  },
});

async function* withMark(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let mark = '\uFEFF';
  for await (const text of texts) {
    yield mark + text;
    mark = '';
  }
}
