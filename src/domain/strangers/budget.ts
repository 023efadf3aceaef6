/**
 * Limits for strangers: what clients without a key can do in a day, by kind of action, for each payment link,
 * address and brand. Above a limit nothing more of that kind is stored. Pure; docs/security.md shows this
 * table.
 * The limits never prevent a credit: an id whose SMS has arrived, a payment reference and a transfer on the
 * chain are credited even if others have used up a limit.
 */

/** Kinds of actions that are counted. */
export const STRANGER_USES = ['verifications', 'amounts', 'ids', 'plays', 'payments'] as const;
export type StrangerUse = (typeof STRANGER_USES)[number];

/** `address`: one address at one brand, so that the customers of one shop use up nothing of another's. */
export const STRANGER_SCOPES = ['address', 'link', 'brand'] as const;
export type StrangerScope = (typeof STRANGER_SCOPES)[number];

interface UseFacts {
  /** Description for people. */
  readonly what: string;
  /** Maximum number per day in Bangladesh time; a scope that is absent has no limit. */
  readonly limits: Readonly<Partial<Record<StrangerScope, number>>>;
}

/**
 * Thousands of phones share an address of a mobile network, so an address may do what many customers do. A
 * link or a brand may do what several busy addresses do: one of them uses neither up.
 */
const USES: Readonly<Record<StrangerUse, UseFacts>> = {
  verifications: {
    what: 'payments without observed money sent to manual review',
    limits: { address: 50, link: 200, brand: 500 },
  },
  // A price has at least 501 amounts, and they are held for two hours.
  amounts: {
    what: 'USDT amounts reserved by payments of links',
    limits: { address: 30, link: 150, brand: 300 },
  },
  ids: {
    what: 'transaction ids without observed money',
    limits: { address: 300 },
  },
  plays: {
    what: 'simulated payments of a test brand',
    limits: { brand: 300 },
  },
  payments: {
    what: 'payments opened by links',
    limits: { address: 500, link: 5_000, brand: 20_000 },
  },
};

export const useFacts = (use: StrangerUse): UseFacts => USES[use];
