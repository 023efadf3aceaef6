/**
 * What is wrong with taking in SMS, in one short line for whoever looks at the phone or at the server. Knows
 * no platform: an inbox that knows more says it itself.
 */

/** The server takes no longer ones. */
export const MAX_TROUBLE = 200;

/** Thrown by an inbox that knows what is wrong. `trouble` has no text of an SMS and no number in it. */
export class InboxError extends Error {
  readonly trouble: string;

  /** `detail` is for the log, and says what to do. */
  constructor(trouble: string, detail: string) {
    super(detail);
    this.trouble = trouble;
  }
}

/** At most 200 characters. Of an error that is not the inbox's own only the code is told, never its text. */
export function troubleOf(error: unknown): string {
  if (error instanceof InboxError) return error.trouble.slice(0, MAX_TROUBLE);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return `cannot take in SMS${typeof code === 'string' ? ` (${code})` : ''}`;
}
