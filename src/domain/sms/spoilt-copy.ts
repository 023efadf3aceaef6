/**
 * Whether an SMS is in doubt only for what an app that hands it on has done to it, or for a clock that was
 * wrong: another copy that is in no doubt ends such a doubt. Words that somebody has added are another
 * matter, since they may take the money back. Pure.
 */

/** Reasons for doubt that say nothing about the money. */
const OF_THE_COPY: readonly string[] = [
  ...['sender_weak', 'id_shape', 'text_repeated', 'characters_foreign', 'characters_hidden'],
  ...['date_after_delivery', 'date_long_before_delivery', 'time_impossible', 'parts_joined'],
];
/** Such as "[SIM1] " or "bKash: ". */
const ONE_WORD = /^[[(]?[A-Za-z0-9]{1,12}[\])]?:? ?$/;

export interface CopiedSms {
  readonly body: string;
  /** Names of the reasons for doubt. */
  readonly reasons: readonly string[];
}

/** @param clean the text of the other copy. */
export function isSpoiltCopy({ body, reasons }: CopiedSms, clean: string): boolean {
  const isMarked = body.endsWith(clean) && ONE_WORD.test(body.slice(0, -clean.length));
  return reasons.every((reason) => OF_THE_COPY.includes(reason) || (reason === 'tail_unknown' && isMarked));
}
