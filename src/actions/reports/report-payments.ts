/** Accounting totals by day and by channel. Money counts on the day on which it was credited. */
import { formatTaka } from '../../base/values/money.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import {
  creditedByChannel,
  creditedByDay,
  failedByDay,
  openedByDay,
  type ReportSpan,
} from '../../store/tables/reports.js';
import type { Core } from '../core/core.js';
import { idOfLiveBrand } from '../input/require-row.js';
import { defineView } from '../input/view.js';
import { dayNumber, formatDay, listDays, type ReportDays, startOfDay, toSpan } from './report-span.js';

interface ReportInput extends ReportDays {
  /** Identifier or name; absent for all. */
  readonly brand?: string | undefined;
}

interface Totals {
  readonly completed: number;
  readonly paid_paisa: number;
  readonly fee_paisa: number;
}

interface Day extends Totals {
  readonly date: string;
  readonly opened: number;
  readonly failed: number;
}

type DayRow = ReturnType<typeof dayView>;

export const dayView = defineView<Day>()(({ same, taka }) => ({
  /** Date in Bangladesh time, `2026-08-21`. */
  ...same('date', 'opened', 'completed', 'failed'),
  /** All that was paid, and the fees in it. */
  paid: taka('paid_paisa'),
  fee: taka('fee_paisa'),
}));

type ChannelRow = ReturnType<typeof channelView>;

export const channelView = defineView<Totals & { readonly channel: PayChannel; readonly of_paisa: number }>()(
  ({ same, taka }) => ({
    ...same('channel', 'completed'),
    paid: taka('paid_paisa'),
    fee: taka('fee_paisa'),
    /** Per cent of all that was paid, one decimal. */
    share: (row) => percent(row.paid_paisa, row.of_paisa),
  }),
);

/** Formats a percentage with integer arithmetic, because money is never a fraction. @returns `12.5` */
function percent(part: number, whole: number): string {
  if (whole === 0) return '0.0';
  const perMille = (BigInt(part) * 2_000n + BigInt(whole)) / (2n * BigInt(whole));
  return `${perMille / 10n}.${perMille % 10n}`;
}

async function brandSpan(core: Core, { brand, ...days }: ReportInput): Promise<ReportSpan> {
  const span = toSpan(days, core.clock.now());
  return { ...span, brandId: await core.store.read((db) => idOfLiveBrand(db, brand)) };
}

const totalsOf = (row: Readonly<Record<'completed' | 'paid' | 'fees', number | string | null>>): Totals => ({
  completed: Number(row.completed),
  paid_paisa: Number(row.paid),
  fee_paisa: Number(row.fees),
});

const countsOf = (rows: readonly { readonly day: number | string; readonly count: number | string }[]) =>
  new Map(rows.map(({ day, count }) => [Number(day), Number(count)]));

/** Every day of the span, the oldest first. @throws KashboxError `not_found`, `invalid_input` */
export async function reportDays(core: Core, input: ReportInput): Promise<DayRow[]> {
  const span = await brandSpan(core, input);
  const now = core.clock.now();
  const { opened, failed, credited } = await core.store.read(async (db) => ({
    opened: await openedByDay(db, span),
    failed: await failedByDay(db, span, now),
    credited: await creditedByDay(db, span),
  }));
  const openedOn = countsOf(opened);
  const failedOn = countsOf(failed);
  const creditedOn = new Map(credited.map((row) => [Number(row.day), row]));
  return listDays(span).map((day) => {
    const paid = creditedOn.get(day) ?? { completed: 0, paid: 0, fees: 0 };
    const counts = { opened: openedOn.get(day) ?? 0, failed: failedOn.get(day) ?? 0 };
    return dayView({ date: formatDay(day), ...counts, ...totalsOf(paid) });
  });
}

/** Channels on which something was paid, the one with most money first. */
export async function reportChannels(core: Core, input: ReportInput): Promise<ChannelRow[]> {
  const span = await brandSpan(core, input);
  const rows = await core.store.read((db) => creditedByChannel(db, span));
  const totals = rows.map((row) => ({ channel: row.channel, ...totalsOf(row) }));
  const of_paisa = totals.reduce((sum, { paid_paisa }) => sum + paid_paisa, 0);
  return totals
    .sort((one, other) => other.paid_paisa - one.paid_paisa || one.channel.localeCompare(other.channel))
    .map((row) => channelView({ ...row, of_paisa }));
}

/** The sum of rows as decimal text. */
export function sumPaid(rows: readonly { readonly paid: string }[]): string {
  return formatTaka(rows.reduce((sum, { paid }) => sum + Number(paid.replace('.', '')), 0));
}

/** Totals credited today and yesterday, in that order; cheap enough to query every few seconds. */
export async function reportTodayAndYesterday(core: Core) {
  const today = dayNumber(core.clock.now());
  const span = { brandId: null, from: startOfDay(today - 1), to: startOfDay(today + 1) };
  const rows = await core.store.read((db) => creditedByDay(db, span));
  const totalsOn = (day: number) => {
    const row = rows.find((one) => Number(one.day) === day) ?? { completed: 0, paid: 0, fees: 0 };
    const { completed, paid_paisa } = totalsOf(row);
    return { date: formatDay(day), completed, paid: formatTaka(paid_paisa) };
  };
  return { today: totalsOn(today), yesterday: totalsOn(today - 1) };
}
