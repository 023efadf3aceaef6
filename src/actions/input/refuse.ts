/** What an operator typed cannot be taken. */
import { KashboxError } from '../../base/errors/errors.js';

/** @param message names the field. @param hint says what to write instead. */
export function refuse(message: string, hint: string): never {
  throw new KashboxError('invalid_input', { message, hint });
}
