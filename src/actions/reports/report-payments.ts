/**
 * Accounting totals by day and by channel. Money counts on the day on which it was credited, a refund on the
 * day on which it was completed.
 */
import { formatTaka } from '../../base/values/money.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { Db } from '../../store/schema/index.js';
import {
  creditedByChannel,
  creditedByDay,
  failedByDay,
  openedByDay,
  type ReportSpan,
  refundedByChannel,
  refundedByDay,
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
  readonly refunded_paisa: number;
  readonly refund_fee_paisa: number;
}

const REFUNDED = {
  /** Sum of the completed refunds, and what sending them cost. */
  refunded: ({ refunded_paisa }: Totals) => formatTaka(refunded_paisa),
  refund_fee: ({ refund_fee_paisa }: Totals) => formatTaka(refund_fee_paisa),
  /** What is left: paid without both. Negative if more went back than came. */
  net: (row: Totals) => formatTaka(row.paid_paisa - row.refunded_paisa - row.refund_fee_paisa),
};

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
  ...REFUNDED,
}));

type ChannelRow = ReturnType<typeof channelView>;

export const channelView = defineView<Totals & { readonly channel: PayChannel; readonly of_paisa: number }>()(
  ({ same, taka }) => ({
    ...same('channel', 'completed'),
    paid: taka('paid_paisa'),
    fee: taka('fee_paisa'),
    ...REFUNDED,
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

type Sums<Name extends string> = Readonly<Record<Name, number | string | null>> | undefined;

/** @param credited undefined if nothing came; likewise for `refunded`. */
const totalsOf = (
  credited: Sums<'completed' | 'paid' | 'fees'>,
  refunded: Sums<'refunded' | 'refund_fees'>,
): Totals => ({
  completed: Number(credited?.completed ?? 0),
  paid_paisa: Number(credited?.paid ?? 0),
  fee_paisa: Number(credited?.fees ?? 0),
  refunded_paisa: Number(refunded?.refunded ?? 0),
  refund_fee_paisa: Number(refunded?.refund_fees ?? 0),
});

const countsOf = (rows: readonly { readonly day: number | string; readonly count: number | string }[]) =>
  new Map(rows.map(({ day, count }) => [Number(day), Number(count)]));

/** @returns a function that gives the totals of a day by its number. */
async function totalsByDay(db: Db, span: ReportSpan): Promise<(day: number) => Totals> {
  const credited = new Map((await creditedByDay(db, span)).map((row) => [Number(row.day), row]));
  const refunded = new Map((await refundedByDay(db, span)).map((row) => [Number(row.day), row]));
  return (day) => totalsOf(credited.get(day), refunded.get(day));
}

/** Every day of the span, the oldest first. @throws KashboxError `not_found`, `invalid_input` */
export async function reportDays(core: Core, input: ReportInput): Promise<DayRow[]> {
  const span = await brandSpan(core, input);
  const now = core.clock.now();
  const { opened, failed, totals } = await core.store.read(async (db) => ({
    opened: countsOf(await openedByDay(db, span)),
    failed: countsOf(await failedByDay(db, span, now)),
    totals: await totalsByDay(db, span),
  }));
  return listDays(span).map((day) => {
    const counts = { opened: opened.get(day) ?? 0, failed: failed.get(day) ?? 0 };
    return dayView({ date: formatDay(day), ...counts, ...totals(day) });
  });
}

/** Channels on which something was paid or refunded, the one with most money first. */
export async function reportChannels(core: Core, input: ReportInput): Promise<ChannelRow[]> {
  const span = await brandSpan(core, input);
  const { credited, refunded } = await core.store.read(async (db) => ({
    credited: await creditedByChannel(db, span),
    refunded: await refundedByChannel(db, span),
  }));
  const channels = [...new Set([...credited, ...refunded].map(({ channel }) => channel))];
  const totals = channels.map((channel) => {
    const isOf = (row: { readonly channel: PayChannel }) => row.channel === channel;
    return { channel, ...totalsOf(credited.find(isOf), refunded.find(isOf)) };
  });
  const of_paisa = totals.reduce((sum, { paid_paisa }) => sum + paid_paisa, 0);
  return totals
    .sort((one, other) => other.paid_paisa - one.paid_paisa || one.channel.localeCompare(other.channel))
    .map((row) => channelView({ ...row, of_paisa }));
}

/** The sum of a column of rows, in taka with two decimals. */
export function sumOf<Column extends string>(
  rows: readonly Readonly<Record<Column, string>>[],
  column: Column,
) {
  return formatTaka(rows.reduce((sum, row) => sum + Number(row[column].replace('.', '')), 0));
}

/** Totals credited and refunded today and yesterday, in that order; cheap enough for every few seconds. */
export async function reportTodayAndYesterday(core: Core) {
  const today = dayNumber(core.clock.now());
  const span = { brandId: null, from: startOfDay(today - 1), to: startOfDay(today + 1) };
  const totals = await core.store.read((db) => totalsByDay(db, span));
  const totalsOn = (day: number) => {
    const { completed, paid_paisa, refunded_paisa } = totals(day);
    const [paid, refunded] = [formatTaka(paid_paisa), formatTaka(refunded_paisa)];
    return { date: formatDay(day), completed, paid, refunded };
  };
  return { today: totalsOn(today), yesterday: totalsOn(today - 1) };
}
