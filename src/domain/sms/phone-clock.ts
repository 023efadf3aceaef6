/**
 * Clocks of phones: when an SMS came, where the phone's clock may be wrong, and what an SMS shows of that
 * clock. Three clocks meet: the wallet's, in the text; the phone's, in the stamp; ours, at the arrival. Pure.
 */
/** Two clocks may differ by this much before one of them is doubted. */
const CLOCK_SKEW_MS = 15 * 60_000;
/** Maximum delay, in ms. Carriers keep an SMS for a phone that is off; an older text looks inserted. */
const LATE_DELIVERY_MS = 86_400_000;
/** A clock that was measured is named from here on: still too little to cost anything. */
const NAMED_FROM_MS = 5 * 60_000;
/** Two measurements differ by this much because requests take their time. */
const MEASURED_ALIKE_MS = 2 * 60_000;
const MAX_PROBLEM = 200;

/** Measured error of a phone's clock. */
export interface PhoneClock {
  /** Offset of the phone's clock from ours, in ms; negative if it is slow. */
  readonly offsetMs: number;
  /** Start of the consistent measurements, milliseconds since the epoch by our clock. */
  readonly sinceMs: number;
}

/** Delivery times of an SMS, apart from its text. Milliseconds since the epoch. */
export interface SmsDelivery {
  /** Time of receipt by the phone's clock. */
  readonly receivedAtMs: number;
  /** Time of arrival at the server; null if that proves nothing. */
  readonly arrivedAtMs: number | null;
  readonly clock: PhoneClock | null;
}

/** @param textMs what the text says of its time. @param receivedMs when it came to the phone. */
export function judgeDelivery(textMs: number, receivedMs: number): 'agrees' | 'too_early' | 'late' {
  if (textMs > receivedMs + CLOCK_SKEW_MS) return 'too_early';
  return textMs < receivedMs - LATE_DELIVERY_MS ? 'late' : 'agrees';
}

/**
 * Determines when its phone received an SMS. If text and timestamp agree: the timestamp. Otherwise the
 * timestamp corrected by the measured clock offset, if that has been consistent since before the receipt.
 * Otherwise the arrival time if the text was written just before it, because a late arrival does not make an
 * old text new. Else the timestamp is kept, and the text is doubtful.
 * @param textMs time in the text; null if it contains none.
 */
export function receivedTime(textMs: number | null, sms: SmsDelivery): number {
  const { receivedAtMs: stamp, arrivedAtMs: arrived, clock } = sms;
  if (textMs === null || arrived === null || judgeDelivery(textMs, stamp) === 'agrees') return stamp;
  const corrected = clock === null ? null : stamp - clock.offsetMs;
  const isMeasured = corrected !== null && corrected >= (clock?.sinceMs ?? 0) && corrected <= arrived;
  if (isMeasured && judgeDelivery(textMs, corrected) === 'agrees') return corrected;
  return isLive(textMs, arrived) ? arrived : stamp;
}

const isLive = (textMs: number, arrivedMs: number) => Math.abs(textMs - arrivedMs) <= CLOCK_SKEW_MS;

/**
 * Derives the clock offset of a phone that never reports its time from an SMS.
 * @returns offset from our clock in ms, 0 if it is about right; null if it cannot be determined.
 */
export function estimateClockOffset(textMs: number | null, stamp: number, arrived: number): number | null {
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

/** Values to store for a phone whose clock was measured; undefined leaves the stored value unchanged. */
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

/** @returns the warning for an operator about a wrong clock; null if the clock is right. */
function clockProblem(offsetMs: number): string | null {
  if (Math.abs(offsetMs) < NAMED_FROM_MS) return null;
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const hours = Math.round(minutes / 60);
  const off = minutes < 120 ? `${minutes} min` : hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
  return `the clock is ${off} ${offsetMs < 0 ? 'slow' : 'fast'}; set date and time of the phone to automatic`;
}
