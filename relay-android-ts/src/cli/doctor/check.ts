/** One result of the phone's doctor. */
export interface Check {
  readonly name: string;
  /** `warn`: cannot be checked by a program, or is not urgent; a person should check it. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do about it; null where nothing needs to be done. */
  readonly remedy: string | null;
}

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message, remedy: null });

export const warn = (name: string, message: string, remedy: string): Check => ({
  name,
  state: 'warn',
  message,
  remedy,
});

export const fail = (name: string, message: string, remedy: string): Check => ({
  name,
  state: 'fail',
  message,
  remedy,
});
