/** Numbers out of noise: rounds that alternate between two or more sides, and their medians. */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** What is measured against what, by name. */
type Sides<Name extends string, Result> = Readonly<Record<Name, (round: number) => Promise<Result>>>;

/**
 * Runs every side once a round, in an order that turns from round to round, so that whatever else the machine
 * is doing meets all of them alike. Round 0 is for warming up and is not in the results.
 * @returns the results of rounds 1 to `rounds`, by side.
 */
export async function alternate<Name extends string, Result>(
  rounds: number,
  sides: Sides<Name, Result>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(sides) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = 0; round <= rounds; round += 1) {
    const turn = round % names.length;
    for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
      const result = await sides[name](round);
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}

/** Median over the rounds of `of` as a multiple of `to` in the same round. */
export function medianRatio(of: readonly number[], to: readonly number[]): number {
  return median(of.map((value, round) => value / (to[round] ?? Number.NaN)));
}
