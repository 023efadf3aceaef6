/** Text from outside, made fit for every database. */

/**
 * PostgreSQL holds no NUL and UTF-8 no lone surrogate. Both come from broken phones and programs in
 * otherwise good messages, so they are made visible instead of costing the message.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '␀');
}
