/**
 * What is done about a gap in a wallet's balances, and when: the phone is asked to send again what it has,
 * and if that does not help, a person is told. Pure.
 */

const MINUTE = 60_000;
/** Between two requests to one phone to send the same SMS again. */
export const ASK_EVERY_MS = 10 * MINUTE;
/** After a phone has sent all it has: time for the last of it to be read. */
export const AFTER_ANSWER_MS = MINUTE;
const TELL_AFTER_MS = 5 * MINUTE;
/** SMS are also completed and parsed again, so open gaps are checked now and then. */
const LOOK_EVERY_MS = 60 * MINUTE;

/** What is older is never found missing, and no longer looked for. */
export const GAP_LIFE_MS = 7 * 1_440 * MINUTE;

export interface OpenGap {
  readonly foundAt: number;
  /** From when on something is missing: so far back its phone is asked to go. */
  readonly since: number;
  /** When its phone was asked to send again what it has, and when it had done so. */
  readonly askedAt: number | null;
  readonly answeredAt: number | null;
  /** Whether a person was told. */
  readonly isTold: boolean;
}

/** The phones of the wallet that can be asked; of several, the one that is asked first. */
export interface ResendRequests {
  readonly canAnswer: boolean;
  /** Whether it was asked, for whatever gap, and is not done yet. */
  readonly isSending: boolean;
  /** When it was asked last, and how far back of all its requests, in the time between two of them. */
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

/** A phone that has just sent again what it has is not asked for the same, but for what lies before that. */
function timeToAsk(gap: OpenGap, { canAnswer, isSending, lastAsk }: ResendRequests): number | null {
  if (gap.askedAt !== null || !canAnswer) return null;
  if (isSending || lastAsk === null || gap.since < lastAsk.since) return gap.foundAt;
  return lastAsk.at + ASK_EVERY_MS;
}
