/**
 * The accounts of a brand for tests: one for each wallet and type that a merchant can have. Their numbers
 * begin with 010, which no operator of Bangladesh gives out: nobody can pay real money to one, and no real
 * brand can have one (`mobileNumber`).
 */
import { MFS_ACCOUNT_TYPES, MFS_CHANNELS, type MfsAccountType, type MfsChannel } from './channels.js';

interface TestAccount {
  readonly channel: MfsChannel;
  readonly type: MfsAccountType;
  readonly number: string;
}

const BEGINNING = '01000000000';
const ORDER: readonly MfsAccountType[] = ['personal', 'agent', 'payment'];

/** Each number is another one. */
export const TEST_ACCOUNTS: readonly TestAccount[] = MFS_CHANNELS.flatMap((channel, wallet) =>
  ORDER.flatMap((type, place): TestAccount[] => {
    if (!MFS_ACCOUNT_TYPES[channel].includes(type)) return [];
    const tail = String((wallet + 1) * 10 + place + 1);
    return [{ channel, type, number: BEGINNING.slice(0, -tail.length) + tail }];
  }),
);

/**
 * Simulated payments. `exact`: the amount due. `less`: 10 taka less, at most half of the amount. `more`: 10
 * taka more. `other_type`: by a service that the account type does not accept. `old`: before the payment
 * allows. `unclaimed`: without the payment reference, so that the customer has to enter the id.
 */
export const SCENARIOS = ['exact', 'less', 'more', 'other_type', 'old', 'unclaimed'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** Simulated payments of the page. Not `unclaimed`: the customer sees no id that they could enter. */
export const PAGE_SCENARIOS = [
  'exact',
  'less',
  'more',
  'other_type',
  'old',
] as const satisfies readonly Scenario[];
export type PageScenario = (typeof PAGE_SCENARIOS)[number];
