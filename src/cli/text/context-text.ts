/** Contexts as commands show them: never with the password of a database. */
import type { Context } from '../../config/contexts.js';
import { currentContext, winningVariable, withoutPassword } from '../../config/contexts.js';
import { formatKeyValues } from './table.js';

type ContextView = ReturnType<typeof contextView>;

/** @param current the one that this very command would work on; null for none. */
export function contextView(name: string, { home, databaseUrl }: Context, current: string | null) {
  const database_url = databaseUrl === null ? null : withoutPassword(databaseUrl);
  return { name, home, database_url, current: name === current };
}

export const contextSheet = (view: ContextView) =>
  formatKeyValues([
    ['Context', view.name],
    ['Home', view.home],
    ['Database', view.database_url],
    ['Used now', view.current ? 'yes' : 'no'],
  ]);

/** @returns a note if an environment variable overrides the chosen context; null otherwise. */
export function overruledNote(env: NodeJS.ProcessEnv, used: string | null): string | null {
  const name = winningVariable(env);
  if (name === undefined || currentContext(env) === used) return null;
  const goal = used === null ? 'to use no context' : `to use "${used}"`;
  return `Note: ${name} is set and overrides that. Unset it ${goal}: unset ${name}`;
}
