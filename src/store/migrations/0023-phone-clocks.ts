/** Migration 23: how far the clock of a phone is ahead of ours, in milliseconds, and since when it is so. */
export const phoneClocks: readonly string[] = [
  'ALTER TABLE devices ADD COLUMN clock_offset_ms BIGINT',
  'ALTER TABLE devices ADD COLUMN clock_since BIGINT',
];
