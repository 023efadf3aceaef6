/** What a target of alerts wants, and when, as an operator types it: checked, and put into columns. */
import { refuse } from '../../base/errors/refuse.js';
import { asciiDigits, echoed } from '../../base/values/text.js';
import { CHOICES, isChosen, readChoice, USUAL } from '../../domain/alerts/alert-choice.js';
import { nextTimeOfDay, readQuietHours, readTimeOfDay } from '../../domain/alerts/quiet-hours.js';
import type { AlertTargetTable } from '../../store/schema/index.js';

/** What was not given is undefined; null takes it away. */
export interface TargetChoices {
  /** Names of kinds and groups. */
  readonly events?: string | undefined;
  /** `23:00-07:00` in Bangladesh. */
  readonly quiet?: string | null | undefined;
  /** Whether urgent news waits, too. */
  readonly quietAll?: boolean | undefined;
  /** `21:00` in Bangladesh. */
  readonly daily?: string | null | undefined;
  readonly buttons?: boolean | undefined;
  /** Ids of Telegram users; null for every member of the chat. */
  readonly approvers?: string | null | undefined;
}

type Columns = Omit<
  AlertTargetTable,
  'id' | 'kind' | 'secret' | 'hint' | 'fingerprint' | 'created_at' | 'removed_at' | 'paused_until'
>;

export const USUAL_CHOICES: Columns = {
  events: USUAL,
  tells_payments: 0,
  quiet_from: null,
  quiet_until: null,
  quiet_all: 0,
  daily_at: null,
  daily_due: null,
  buttons: 0,
  approvers: '',
};

/** @returns the columns that were given, all others undefined. @throws KashboxError `invalid_input` */
export function choiceColumns(
  choices: TargetChoices,
  now: number,
): { [K in keyof Columns]?: Columns[K] | undefined } {
  const { events, quiet, quietAll, daily, buttons, approvers } = choices;
  const chosen = events === undefined ? undefined : readEvents(events);
  const hours = quiet == null ? quiet : readQuiet(quiet);
  const minute = daily == null ? daily : readDaily(daily);
  const flag = (is: boolean | undefined) => (is === undefined ? undefined : Number(is));
  return {
    events: chosen,
    tells_payments: chosen === undefined ? undefined : Number(isChosen(chosen, 'payment.completed')),
    quiet_from: hours === null ? null : hours?.from,
    quiet_until: hours === null ? null : hours?.until,
    // Without quiet hours it means nothing.
    quiet_all: quiet === undefined ? flag(quietAll) : Number(quiet !== null && quietAll === true),
    daily_at: minute,
    daily_due: minute == null ? minute : nextTimeOfDay(minute, now),
    buttons: flag(buttons),
    approvers: approvers == null ? (approvers === null ? '' : undefined) : readApprovers(approvers),
  };
}

function readEvents(typed: string): string {
  const read = readChoice(typed);
  if ('chosen' in read) return read.chosen;
  const said = read.unknown === '' ? 'events is empty' : `There is no event "${echoed(read.unknown)}"`;
  return refuse(said, `Choose some of these, with commas between: ${CHOICES.join(', ')}`);
}

function readQuiet(typed: string) {
  const hint = 'Write when they begin and end, in Bangladesh time: --quiet 23:00-07:00';
  return readQuietHours(typed) ?? refuse(`quiet "${echoed(typed)}" is no span of time`, hint);
}

function readDaily(typed: string): number {
  const hint = 'Write the hour and the minute, in Bangladesh time: --daily 21:00';
  return readTimeOfDay(typed) ?? refuse(`daily "${echoed(typed)}" is no time of the day`, hint);
}

const MAX_APPROVERS = 50;

function readApprovers(typed: string): string {
  const ids = asciiDigits(typed)
    .split(/[\s,]+/)
    .filter((id) => id !== '');
  const isFit =
    ids.length > 0 && ids.length <= MAX_APPROVERS && ids.every((id) => /^[1-9]\d{0,19}$/.test(id));
  if (isFit) return [...new Set(ids)].join(' ');
  return refuse(
    `approvers must be 1 to ${MAX_APPROVERS} ids of Telegram users`,
    'Give the numbers, not the names, with commas between: --approvers 123456789,987654321',
  );
}
