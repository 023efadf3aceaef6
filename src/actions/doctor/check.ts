/** What the doctor says of one thing. */
import type { Speak, Text } from '../../base/values/say.js';

/** What a check has found, in no language yet. */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: Text;
  /** What to do about it; null where nothing needs to be done. */
  readonly remedy: Text | null;
}

/** The same as a person or a script reads it. */
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

export function told({ name, state, message, remedy }: Finding, speak: Speak): Check {
  return { name, state, message: speak(message), remedy: remedy === null ? null : speak(remedy) };
}
