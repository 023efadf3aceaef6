/** @returns how often something is repeated: in `npm test`, and in `npm run soak`. */
export const amount = (inTest: number, inSoak: number): number =>
  process.env.KASHBOX_TEST_TIER === 'soak' ? inSoak : inTest;
