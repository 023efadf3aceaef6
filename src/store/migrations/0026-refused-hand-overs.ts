/** Migration 26: how many SMS that a phone handed over were refused, since when, and when the last was. */
export const refusedHandOvers: readonly string[] = [
  'ALTER TABLE devices ADD COLUMN refused INTEGER',
  'ALTER TABLE devices ADD COLUMN refused_since BIGINT',
  'ALTER TABLE devices ADD COLUMN refused_at BIGINT',
];
