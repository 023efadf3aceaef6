/**
 * Clocks of phones: when an SMS came, where the phone's clock may be wrong, and what an SMS shows of that
 * clock. Three clocks meet: the wallet's, in the text; the phone's, in the stamp; ours, at the arrival. Pure.
 */
/** Two clocks may differ by this much before one of them is doubted. */
const CLOCK_SKEW_MS = 15 * 60_000;
/** Carriers keep a text for a phone that is off; what is older was more likely brought by somebody. */
const LATE_DELIVERY_MS = 86_400_000;
/** A clock that was measured is named from here on: still too little to cost anything. */
const NAMED_FROM_MS = 5 * 60_000;
/** Two measurements differ by this much because requests take their time. */
const MEASURED_ALIKE_MS = 2 * 60_000;
const MAX_PROBLEM = 200;

/** What was measured of a phone's clock. */
export interface PhoneClock {
  /** How far it is ahead of ours; negative where it is behind. */
  readonly offsetMs: number;
  /** Since when it was measured alike each time, milliseconds since the epoch by our clock. */
  readonly sinceMs: number;
}

/** What is known of the delivery of an SMS beside its text. Milliseconds since the epoch. */
export interface Delivered {
  /** By the phone's clock. */
  readonly receivedAtMs: number;
  /** When it reached us; null where that says nothing. */
  readonly arrivedAtMs: number | null;
  readonly clock: PhoneClock | null;
}

/** @param textMs what the text says of its time. @param receivedMs when it came to the phone. */
export function judgeDelivery(textMs: number, receivedMs: number): 'agrees' | 'too_early' | 'late' {
  if (textMs > receivedMs + CLOCK_SKEW_MS) return 'too_early';
  return textMs < receivedMs - LATE_DELIVERY_MS ? 'late' : 'agrees';
}

/**
 * When an SMS came to its phone. The stamp counts where text and stamp agree. Where they do not, the stamp is
 * corrected by what was measured of the clock, if that was measured alike since before the SMS came; or the
 * arrival counts, if the text was written just then, since an old text is not made new by it. Else the
 * stamp stands, and the text is doubtful.
 * @param textMs what the text says of its time; null where it says nothing.
 */
export function receivedTime(textMs: number | null, sms: Delivered): number {
  const { receivedAtMs: stamp, arrivedAtMs: arrived, clock } = sms;
  if (textMs === null || arrived === null || judgeDelivery(textMs, stamp) === 'agrees') return stamp;
  const corrected = clock === null ? null : stamp - clock.offsetMs;
  const isMeasured = corrected !== null && corrected >= (clock?.sinceMs ?? 0) && corrected <= arrived;
  if (isMeasured && judgeDelivery(textMs, corrected) === 'agrees') return corrected;
  return isLive(textMs, arrived) ? arrived : stamp;
}

const isLive = (textMs: number, arrivedMs: number) => Math.abs(textMs - arrivedMs) <= CLOCK_SKEW_MS;

/**
 * What an SMS shows of the clock of a phone that never tells its time.
 * @returns how far that clock is ahead of ours, 0 for about right; null where it shows nothing.
 */
export function clockShownBy(textMs: number | null, stamp: number, arrived: number): number | null {
  const ahead = stamp - arrived;
  // Nothing arrives before it was received.
  if (ahead > CLOCK_SKEW_MS) return ahead;
  if (textMs === null || !isLive(textMs, arrived)) return null;
  return judgeDelivery(textMs, stamp) === 'agrees' ? 0 : ahead;
}

/** @param known of earlier measurements. @returns the same object where nothing has changed. */
export function measureClock(known: PhoneClock | null, offsetMs: number, now: number): PhoneClock {
  const isAlike = known !== null && Math.abs(offsetMs - known.offsetMs) <= MEASURED_ALIKE_MS;
  return isAlike ? known : { offsetMs, sinceMs: now };
}

/** What is to be kept of a phone whose clock was measured; undefined leaves what is known. */
interface ClockNews {
  readonly clockOffsetMs: number | undefined;
  readonly clockSince: number | undefined;
  readonly problem: string | null | undefined;
}

/** @param reported its problem in its own words; null for none, undefined where it says nothing of it. */
export function clockNews(
  known: PhoneClock | null,
  offsetMs: number,
  now: number,
  reported: string | null | undefined,
): ClockNews {
  const clock = measureClock(known, offsetMs, now);
  const isNew = clock !== known;
  const own = clockProblem(clock.offsetMs);
  const wasOff = known !== null && clockProblem(known.offsetMs) !== null;
  const all = [own, reported ?? null].filter((one) => one !== null).join('; ');
  // What somebody else has noted of a phone that reports nothing stays.
  const isKept = reported === undefined && own === null && !wasOff;
  return {
    clockOffsetMs: isNew ? clock.offsetMs : undefined,
    clockSince: isNew ? clock.sinceMs : undefined,
    problem: isKept ? undefined : all.slice(0, MAX_PROBLEM) || null,
  };
}

/** @returns what an operator is told of a clock that is off; null of one that is right. */
function clockProblem(offsetMs: number): string | null {
  if (Math.abs(offsetMs) < NAMED_FROM_MS) return null;
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const hours = Math.round(minutes / 60);
  const off = minutes < 120 ? `${minutes} min` : hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
  return `the clock is ${off} ${offsetMs < 0 ? 'slow' : 'fast'}; set date and time of the phone to automatic`;
}
