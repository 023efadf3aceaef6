/** Refusal of unusable input of an operator. */
import { KashboxError } from './errors.js';

/**
 * @param message names the field.
 * @param hint says what to write instead.
 * @throws KashboxError `invalid_input`
 */
export function refuse(message: string, hint: string, cause?: unknown): never {
  throw new KashboxError('invalid_input', { message, hint, cause });
}
