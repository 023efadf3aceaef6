/**
 * What is done about a gap in a wallet's balances, and when: the phone is asked to send again what it has,
 * and if that does not help, a person is told. Pure.
 */

const MINUTE = 60_000;
/** Between two requests to one phone to send its SMS again. */
const ASK_EVERY_MS = 10 * MINUTE;
/** After a phone has sent all it has: time for the last of it to be read. */
export const AFTER_ANSWER_MS = MINUTE;
const TELL_AFTER_MS = 5 * MINUTE;
/** SMS are also completed and read anew, so what is open is looked at now and then. */
const LOOK_EVERY_MS = 60 * MINUTE;

/** What is older is never found missing, and no longer looked for. */
export const GAP_LIFE_MS = 7 * 1_440 * MINUTE;

export interface OpenGap {
  readonly foundAt: number;
  /** When its phone was asked to send again what it has, and when it had done so. */
  readonly askedAt: number | null;
  readonly answeredAt: number | null;
  /** Whether a person was told. */
  readonly isTold: boolean;
}

/** The phones of the wallet that can be asked. */
export interface AskedPhones {
  readonly canAnswer: boolean;
  /** When one of them was asked last, for whatever gap. */
  readonly lastAskedAt: number | null;
}

/** `lookAt` is when the next step may be due; null for never. */
export type GapStep =
  | { readonly step: 'ask' }
  | { readonly step: 'tell' }
  | { readonly step: 'wait'; readonly lookAt: number | null };

/** The next thing to do; all times in milliseconds since the epoch. */
export function nextGapStep(gap: OpenGap, phones: AskedPhones, now: number): GapStep {
  const askAt =
    gap.askedAt !== null || !phones.canAnswer ? null : (phones.lastAskedAt ?? -ASK_EVERY_MS) + ASK_EVERY_MS;
  if (askAt !== null && askAt <= now) return { step: 'ask' };
  const tellAt = Math.min(
    gap.foundAt + TELL_AFTER_MS,
    gap.answeredAt === null ? Number.POSITIVE_INFINITY : gap.answeredAt + AFTER_ANSWER_MS,
  );
  if (!gap.isTold && tellAt <= now) return { step: 'tell' };
  if (now - gap.foundAt > GAP_LIFE_MS) return { step: 'wait', lookAt: null };
  const next = gap.isTold ? now + LOOK_EVERY_MS : tellAt;
  return { step: 'wait', lookAt: Math.min(next, askAt ?? next) };
}
