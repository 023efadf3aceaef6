/** Error for unusable input of an operator. */
import { KashboxError } from '../../base/errors/errors.js';

/** @param message names the field. @param hint says what to write instead. */
export function refuse(message: string, hint: string): never {
  throw new KashboxError('invalid_input', { message, hint });
}
