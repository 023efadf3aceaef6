/** Contexts as commands show them: never with the password of a database. */
import type { Context } from '../../config/contexts.js';
import { withoutPassword } from '../../config/contexts.js';
import { sheet } from './table.js';

export type ContextView = ReturnType<typeof contextView>;

/** @param current the one that this very command would work on; null for none. */
export function contextView(name: string, { home, databaseUrl }: Context, current: string | null) {
  const database_url = databaseUrl === null ? null : withoutPassword(databaseUrl);
  return { name, home, database_url, current: name === current };
}

export const contextSheet = (view: ContextView) =>
  sheet([
    ['Context', view.name],
    ['Home', view.home],
    ['Database', view.database_url],
    ['Used now', view.current ? 'yes' : 'no'],
  ]);
