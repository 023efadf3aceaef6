/** Formats names of nodes by origin, which nodes of the same provider can share. */
interface NodeOrigin {
  readonly id: string;
  readonly origin: string;
}

/** @returns by id the origin of each; those that share one bear a number before it. */
export function nodeNames(rows: readonly NodeOrigin[]): ReadonlyMap<string, string> {
  const alike = sharing(rows);
  return new Map(
    rows.map((row) => {
      const place = alike.indexOf(row);
      return [row.id, place === -1 ? row.origin : `#${place + 1} ${row.origin}`];
    }),
  );
}

/** @returns the ids that commands take such nodes by: no column has room for them. */
export function nodeIdLines(rows: readonly NodeOrigin[]): string[] {
  const ids = sharing(rows).map(({ id }, place) => `  #${place + 1}  ${id}`);
  return ids.length === 0 ? [] : ['', 'These begin alike, so name them by their ids:', ...ids];
}

function sharing(rows: readonly NodeOrigin[]): NodeOrigin[] {
  return rows.filter((row) => rows.some((other) => other !== row && other.origin === row.origin));
}
