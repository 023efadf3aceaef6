/**
 * Hot statements are prepared: the server plans each of them once for a connection, which is half of the work
 * of running one. Here are the names under which it knows them.
 */

/** More texts than ours are written by lists of every length, and would only fill the server's memory. */
const MAX_NAMES = 2_000;

/** All but the statements of a migration, which run once. */
const PREPARED = /^(select|insert|update|delete|with|begin|commit|rollback)\b/i;

const READ = /^\s*select\b/i;
/** Of a statement that waits for rows, or keeps others from them. */
const LOCKING = /\bfor\s+(no\s+key\s+)?(update|share|key\s+share)\b/i;

const plainReads = new Map<string, boolean>();

/** @returns whether a hot statement only reads, and nobody waits for it. */
export function isPlainRead(sql: string): boolean {
  const known = plainReads.get(sql);
  if (known !== undefined) return known;
  const is = READ.test(sql) && !LOCKING.test(sql);
  if (plainReads.size < MAX_NAMES) plainReads.set(sql, is);
  return is;
}

/** Names under which hot statements are prepared, the same on all connections of a store. */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private generation = 0;
  private isOff = false;

  /** @returns undefined where the statement is not to be prepared. */
  of(sql: string): string | undefined {
    if (this.isOff) return undefined;
    const known = this.names.get(sql);
    if (known !== undefined || this.names.size >= MAX_NAMES || !PREPARED.test(sql)) return known;
    const name = `k${this.generation}_${this.names.size}`;
    this.names.set(sql, name);
    return name;
  }

  /**
   * Looks whether an error says that what was prepared is of no use: a table was changed by a newer Kashbox
   * (0A000), or a pooler between us and the server hands connections on without their statements (26000,
   * 42P05; PgBouncer before 1.21). @returns true where the same statement may be sent once more.
   */
  areOfNoUse(error: unknown): boolean {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    if (code === '26000' || code === '42P05') {
      this.isOff = true;
      return true;
    }
    if (code !== '0A000' || !String(message).includes('cached plan')) return false;
    this.generation += 1;
    this.names.clear();
    return true;
  }
}
