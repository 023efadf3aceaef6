/**
 * Next step for a gap in a wallet's balances, and its time: the phone is requested to resend its SMS; if that
 * does not help, the operator is alerted. Pure.
 */

const MINUTE = 60_000;
/** Minimum interval between two requests to one phone to resend the same SMS, in ms. */
export const ASK_EVERY_MS = 10 * MINUTE;
/** Delay after a phone has resent all its SMS, so that the last of them can be processed, in ms. */
export const AFTER_ANSWER_MS = MINUTE;
const TELL_AFTER_MS = 5 * MINUTE;
/** SMS are also completed and parsed again, so open gaps are checked now and then. */
const LOOK_EVERY_MS = 60 * MINUTE;

/** Maximum age of a gap, in ms. Older money is never reported as missing, older gaps not checked. */
export const GAP_LIFE_MS = 7 * 1_440 * MINUTE;

export interface OpenGap {
  readonly foundAt: number;
  /** Start of the gap: the phone is requested to resend its SMS from this time on. */
  readonly since: number;
  /** Time at which the phone was requested to resend its SMS, and time at which it had done so. */
  readonly askedAt: number | null;
  readonly answeredAt: number | null;
  /** True if the operator was alerted. */
  readonly isTold: boolean;
}

/** Resend requests to the wallet's phones; of several, to the one that gets the first request. */
export interface ResendRequests {
  readonly canAnswer: boolean;
  /** True if the phone is still processing a request, for any gap. */
  readonly isSending: boolean;
  /** Time of the last request, and the earliest `since` of all requests within `ASK_EVERY_MS`. */
  readonly lastAsk: { readonly at: number; readonly since: number } | null;
}

/** `lookAt` is when the next step may be due; null for never. */
type GapStep =
  | { readonly step: 'ask' }
  | { readonly step: 'tell' }
  | { readonly step: 'wait'; readonly lookAt: number | null };

/** The next thing to do; all times in milliseconds since the epoch. */
export function nextGapStep(gap: OpenGap, phones: ResendRequests, now: number): GapStep {
  const askAt = timeToAsk(gap, phones);
  if (askAt !== null && askAt <= now) return { step: 'ask' };
  const tellAt = Math.min(
    // Nobody is alarmed before the phone has had its time.
    (askAt ?? gap.askedAt ?? gap.foundAt) + TELL_AFTER_MS,
    gap.answeredAt === null ? Number.POSITIVE_INFINITY : gap.answeredAt + AFTER_ANSWER_MS,
  );
  if (!gap.isTold && tellAt <= now) return { step: 'tell' };
  if (now - gap.foundAt > GAP_LIFE_MS) return { step: 'wait', lookAt: null };
  const next = gap.isTold ? now + LOOK_EVERY_MS : tellAt;
  return { step: 'wait', lookAt: Math.min(next, askAt ?? next) };
}

/** @returns ms since the epoch, null if none. Just after a resend, only earlier periods are requested. */
function timeToAsk(gap: OpenGap, { canAnswer, isSending, lastAsk }: ResendRequests): number | null {
  if (gap.askedAt !== null || !canAnswer) return null;
  if (isSending || lastAsk === null || gap.since < lastAsk.since) return gap.foundAt;
  return lastAsk.at + ASK_EVERY_MS;
}
