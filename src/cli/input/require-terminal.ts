/** Refuses to ask where nobody can answer. */
import { refuse } from '../../base/errors/refuse.js';

/** Whether a person can be asked, and sees the question. */
export const isTerminal = () => process.stdin.isTTY && process.stderr.isTTY;

/** Refuses to wait for an answer that nobody can give. @throws KashboxError `invalid_input` */
export function requireTerminal(what: string, hint: string): void {
  if (isTerminal()) return;
  refuse(what, hint);
}
