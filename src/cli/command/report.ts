/** Defines report commands, which sum rows over a range of days and can write an HTML page. */
import { boolean } from '@oclif/core/flags';
import type { FlagInput } from '@oclif/core/interfaces';
import type { Core } from '../../actions/core/core.js';
import type { ChartKind } from '../html/report-page.js';
import type { Column } from '../text/table.js';
import type { BaseCommand } from './base-command.js';
import { type CommandClass, command, type FlagsOf } from './define.js';
import { integer, listFlags, text } from './flags.js';

/** A page of more shops names none. */
const MOST_NAMES = 5;

const dayFlags = {
  since: text('WHEN', 'First day: 7d, yesterday, 2026-08-21 (default: 30 days ago).'),
  until: text('WHEN', 'End time; a day is excluded: 2026-08-21 ends at its midnight.'),
  days: integer({
    helpValue: 'COUNT',
    description: 'Number of days, up to today or to the day before --until.',
    min: 1,
    max: 3_660,
  }),
};

const pageFlags = {
  html: text('FILE', 'Save a page with charts to this file; "-" is stdout.', {
    exclusive: ['json', 'ndjson', 'csv'],
  }),
  force: boolean({ description: 'Overwrite an existing --html file.', dependsOn: ['html'] }),
};

/** Milliseconds since the epoch. */
interface Days {
  readonly fromMs: number;
  readonly toMs: number | undefined;
}

interface ReportShown<Row> {
  readonly csv: readonly (keyof Row & string)[];
  /** Columns in the terminal, next to the bars. */
  readonly columns: readonly Column<Row>[];
  /** Columns of the HTML page, which is wider; default: `columns`. */
  readonly pageColumns?: readonly Column<Row>[];
  readonly chart: {
    readonly kind: ChartKind;
    readonly title: string;
    /** Rows of one label are one bar. */
    readonly label: (row: Row) => string;
    /** BDT with two decimals. */
    readonly amount: (row: Row) => string;
    /** Omits the bars in the terminal, where there is not enough space. */
    readonly isOnPageOnly?: true;
  };
  /** Returns sentences below the table; called for text and HTML output only. */
  readonly notes: () => Promise<readonly string[]>;
}

/** Text above the table of the HTML page. */
interface PageHead {
  readonly title: string;
  readonly of: string;
  readonly span: string;
  readonly made: string;
  readonly empty: string;
}

/** A report that was read. */
interface ReadReport {
  print(cli: BaseCommand, flags: FlagsOf<typeof listFlags>, empty: string): Promise<void>;
  page(head: PageHead): AsyncGenerator<string>;
}

export function toReport<Row extends object>(
  rows: readonly Row[],
  shown: ReportShown<NoInfer<Row>>,
): ReadReport {
  const { csv, columns, pageColumns = columns, chart, notes } = shown;
  return {
    async print(cli, flags, empty) {
      const { barColumn } = await import('../text/report-text.js');
      const isForPeople = !(flags.json || flags.ndjson || flags.csv);
      await cli.showList(rows, flags, {
        columns: chart.isOnPageOnly ? columns : [...columns, barColumn(rows, chart.amount)],
        csv,
        empty,
        below: isForPeople && rows.length > 0 ? ['', ...(await notes())] : [],
      });
    },
    /** One text. */
    async *page(head) {
      const [{ reportPage }, { sumByLabel }] = await Promise.all([
        import('../html/report-page.js'),
        import('../text/report-text.js'),
      ]);
      const bars = sumByLabel(rows, chart.label, chart.amount);
      const drawn = { kind: chart.kind, title: chart.title, bars };
      yield reportPage({ ...head, chart: drawn, columns: pageColumns, rows, notes: await notes() });
    },
  };
}

interface ReportAbout<F> {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
  readonly flags: F;
  /** Title of the HTML page. */
  readonly title: string;
  readonly empty: string;
  read(given: { readonly core: Core; readonly flags: FlagsOf<F>; readonly days: Days }): Promise<ReadReport>;
}

type OwnFlags = FlagsOf<typeof dayFlags & typeof listFlags & typeof pageFlags>;

/** Scope of a report: a brand or a merchant. */
type OfWhom = { readonly brand?: string | undefined; readonly merchant?: string | undefined };

/** A command that adds up what happened in some days. */
export function report<F extends FlagInput>(about: ReportAbout<F>): CommandClass {
  return command({
    ...about,
    doing: 'Adding up',
    flags: { ...about.flags, ...dayFlags, ...listFlags, ...pageFlags } as FlagInput,
    async run({ cli, flags: given }) {
      const flags = given as unknown as OwnFlags & OfWhom;
      const { systemClock } = await import('../../base/values/clock.js');
      const { reportDays } = await import('../input/time.js');
      // Before the store is opened: what is typed wrong is wrong without one.
      const days = reportDays(flags, systemClock.now());
      const core = await cli.core();
      const { print, page } = await about.read({ core, flags: given as unknown as FlagsOf<F>, days });
      if (flags.html === undefined) return print(cli, flags, about.empty);
      const { saveTexts } = await import('../text/list-texts.js');
      const place = { file: flags.html, isOverwriting: flags.force, random: core.random };
      const bytes = await saveTexts(place, page(await headOf(core, about, flags, days)));
      if (bytes !== null) cli.say([`${flags.html}: open it in a browser.`]);
    },
  });
}

async function headOf(
  core: Core,
  { title, empty }: Pick<PageHead, 'title' | 'empty'>,
  { brand, merchant }: OfWhom,
  days: Days,
): Promise<PageHead> {
  const [{ formatDay, listDays, toSpan }, { dhakaText }, { version }, { listMerchants }] = await Promise.all([
    import('../../actions/reports/report-span.js'),
    import('../../base/values/clock.js'),
    import('../../base/values/version.js'),
    import('../../actions/merchants/merchant-view.js'),
  ]);
  const now = core.clock.now();
  const dates = listDays(toSpan(days, now)).map(formatDay);
  const names = (await listMerchants(core)).map(({ name }) => name);
  const all = names.length > MOST_NAMES ? `${names.length} merchants` : names.join(', ');
  const first = dates[0] ?? '';
  return {
    title,
    empty,
    of: brand ?? merchant ?? all,
    span: dates.length === 1 ? first : `${first} to ${dates.at(-1)}, ${dates.length} days`,
    made: `Made ${dhakaText(now).slice(0, 16)} by Kashbox ${version()}. Days are those of Bangladesh, amounts BDT.`,
  };
}
