/**
 * Change of the SIMs of a phone by an operator. An SMS reports its slot, not its number, and one that was
 * received before a change but delivered after it may belong to the old number. So each number is valid from
 * a certain time, and the number that received an older SMS is unknown.
 */

export interface Sim {
  /** 1 for the first. */
  readonly slot: number;
  readonly number: string;
  /** Time from which this number is in the slot, milliseconds since the epoch; 0 for always. */
  readonly since: number;
}

interface SimChange {
  /** All that the phone has then, by slot. */
  readonly sims: readonly Sim[];
  /** Changed slots; the number is null if the slot had none, or no longer has one. */
  readonly changed: readonly {
    readonly slot: number;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

/**
 * @param given slots with their new numbers; others stay as they are.
 * @param removed slots without a SIM from now on.
 */
export function changeSims(
  known: readonly Sim[],
  given: readonly { readonly slot: number; readonly number: string }[],
  removed: readonly number[],
  now: number,
): SimChange {
  const slots = [...new Set([...known, ...given].map(({ slot }) => slot))].sort((a, b) => a - b);
  const numberOf = (sims: readonly { readonly slot: number; readonly number: string }[], slot: number) =>
    sims.find((sim) => sim.slot === slot)?.number ?? null;
  const changed = slots
    .map((slot) => {
      const before = numberOf(known, slot);
      return { slot, before, after: removed.includes(slot) ? null : (numberOf(given, slot) ?? before) };
    })
    .filter(({ before, after }) => before !== after);
  // The one that is left is taken for the SIM of an SMS that names none, and was not when there were more.
  const isLess = changed.some(({ after }) => after === null);
  const sims = slots
    .filter((slot) => !removed.includes(slot))
    .map((slot): Sim => {
      const before = known.find((sim) => sim.slot === slot);
      const number = numberOf(given, slot) ?? before?.number ?? '';
      // A slot that had no number takes over what came without one, as when it had been there from the first.
      const isOther = before !== undefined && before.number !== number;
      return { slot, number, since: isOther || isLess ? now : (before?.since ?? 0) };
    });
  return { sims, changed };
}

/**
 * Finds the number that received an SMS. A phone with several SIMs must report the slot, or it is unknown
 * whose money it was; with one it need not.
 * @param sms slot, null if not reported; time of receipt by the phone, ms since the epoch.
 * @returns null if the number is unknown.
 */
export function numberAt(
  sims: readonly Sim[],
  sms: { readonly simSlot: number | null; readonly receivedAtMs: number },
): string | null {
  const only = sims.length === 1 ? sims[0] : undefined;
  const sim = sms.simSlot === null ? only : sims.find(({ slot }) => slot === sms.simSlot);
  return sim !== undefined && sms.receivedAtMs >= sim.since ? sim.number : null;
}
