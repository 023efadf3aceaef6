/** Refuses to ask where nobody can answer. */
import { KashboxError } from '../../base/errors/errors.js';

/** Refuses to wait for an answer that nobody can give. @throws KashboxError `invalid_input` */
export function requireTerminal(what: string, hint: string): void {
  if (process.stdin.isTTY && process.stderr.isTTY) return;
  throw new KashboxError('invalid_input', { message: what, hint });
}
