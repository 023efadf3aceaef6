/** Which of the known words a mistyped one comes nearest to. Pure. */

/** A word and its opposite are often near each other: `deactivate` and `activate`. */
const isOpposite = (typed: string, known: string) => /^(de|dis|in|un)/.test(typed) && typed.endsWith(known);

/** Letters to put in, take out or change to get from one text to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** @returns the known word nearest to the typed one, or undefined if none is near. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const reach = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3));
  const [best] = known
    .filter((word) => !isOpposite(typed, word))
    .map((word) => ({ word, far: distance(typed, word) }))
    .sort((a, b) => a.far - b.far || a.word.localeCompare(b.word));
  return best !== undefined && best.far <= reach ? best.word : undefined;
}
