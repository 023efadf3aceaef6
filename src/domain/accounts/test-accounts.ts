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
 * `exact`: as asked for. `less`, `more`: by 10 taka, or by half where less is asked for. `other_type`: to the
 * right number in a way that its account does not take. `old`: money that moved before the payment allows.
 * `unclaimed`: as asked for, but without the payment reference, so that a customer has to give the id.
 */
export const PLAYS = ['exact', 'less', 'more', 'other_type', 'old', 'unclaimed'] as const;
export type Play = (typeof PLAYS)[number];

/** Those that the page offers: there the customer sees no id that they could give. */
export const PAGE_PLAYS = ['exact', 'less', 'more', 'other_type', 'old'] as const satisfies readonly Play[];
export type PagePlay = (typeof PAGE_PLAYS)[number];
