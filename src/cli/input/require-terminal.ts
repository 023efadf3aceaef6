/** Refuses to ask where nobody can answer. */
import { refuse } from '../../base/errors/refuse.js';

/** Refuses to wait for an answer that nobody can give. @throws KashboxError `invalid_input` */
export function requireTerminal(what: string, hint: string): void {
  if (process.stdin.isTTY && process.stderr.isTTY) return;
  refuse(what, hint);
}
