/** What the doctor says of one thing. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do about it; null where nothing needs to be done. */
  readonly remedy: string | null;
}

const problem =
  (state: Check['state']) =>
  (name: string, message: string, remedy: string): Check => ({ name, state, message, remedy });

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message, remedy: null });
export const warn = problem('warn');
export const fail = problem('fail');
