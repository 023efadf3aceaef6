/** The text of a session's QR code, by the name under which create has given it out. */
import { codeByToken } from '../../store/tables/codes.js';
import type { Core } from '../core/core.js';

/** @returns null where there is none. */
export async function findCode(core: Core, token: string): Promise<string | null> {
  const row = await core.store.read((db) => codeByToken.first(db, { token }));
  return row?.payload ?? null;
}
