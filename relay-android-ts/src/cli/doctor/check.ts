/** One result of the phone's doctor. */
export interface Check {
  readonly name: string;
  /** `warn`: cannot be checked by a program, or is not urgent; a person should check it. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do about it; null where nothing needs to be done. */
  readonly remedy: string | null;
}

const maker =
  (state: Check['state']) =>
  (name: string, message: string, remedy: string): Check => ({ name, state, message, remedy });

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message, remedy: null });
export const warn = maker('warn');
export const fail = maker('fail');
