/** Migration 11: a phone's SIMs can be changed, so each says from when on its number holds. */
export const simChanges: readonly string[] = [
  // Milliseconds since the epoch; 0 where the number holds for all that the phone ever brings.
  'ALTER TABLE device_sims ADD COLUMN since BIGINT NOT NULL DEFAULT 0',
];
