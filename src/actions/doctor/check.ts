/** Results of the doctor's checks. */
import type { Text, Translate } from '../../base/values/msg.js';

/** Result of a check, not yet translated. */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: Text;
  /** Remedy; null if nothing needs to be done. */
  readonly remedy: Text | null;
}

/** Finding translated for a person or a script. */
export interface Check extends Finding {
  readonly message: string;
  readonly remedy: string | null;
}

const problem =
  (state: Check['state']) =>
  (name: string, message: Text, remedy: Text): Finding => ({ name, state, message, remedy });

export const ok = (name: string, message: Text): Finding => ({ name, state: 'ok', message, remedy: null });
export const warn = problem('warn');
export const fail = problem('fail');

export function localizeCheck({ name, state, message, remedy }: Finding, speak: Translate): Check {
  return { name, state, message: speak(message), remedy: remedy === null ? null : speak(remedy) };
}
