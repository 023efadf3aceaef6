/** The two tiers of tests: `npm test` has what finds most, `npm run soak` all of it, and long. */

export const isSoak = process.env.KASHBOX_TEST_TIER === 'soak';

/** @returns of cases that say the same of the program: the first in `npm test`, all in the soak. */
export const variants = <T>(all: readonly T[]): readonly T[] => (isSoak ? all : all.slice(0, 1));

/** @returns how often or how much of something there is: in `npm test`, and in `npm run soak`. */
export const amount = (inTest: number, inSoak: number): number => (isSoak ? inSoak : inTest);
