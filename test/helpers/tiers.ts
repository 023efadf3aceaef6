/** The two tiers of tests: `npm test` has what finds most, `npm run soak` all of it, and long. */

export const isSoak = process.env.KASHBOX_TEST_TIER === 'soak';

/** @returns how often or how much of something there is: in `npm test`, and in `npm run soak`. */
export const amount = (inTest: number, inSoak: number): number => (isSoak ? inSoak : inTest);
