/**
 * What happens to a simulated installation, as a list made from a seed before anything runs. Each item brings
 * its own chance, so that leaving one out changes as little as possible of the others: that is how a history
 * with a fault in it is made short.
 */
import { Chance } from './machine/chance.js';

export interface Size {
  /** How long customers come, in days. */
  readonly days: number;
  readonly daemons: number;
  readonly phones: number;
}

export const USUAL_SIZE: Size = { days: 0.00014, daemons: 2, phones: 3 };
/** A fault is found with less work in a few long histories than in many short ones. */
export const LONG_SIZE: Size = { ...USUAL_SIZE, days: 0.0005 };

/** How customers pay. */
export const WAYS = [
  ...(['named', 'named', 'named', 'claims', 'claims', 'claims', 'early'] as const),
  ...(['late', 'twice', 'short', 'over', 'mistyped', 'nothing', 'cancels', 'thief', 'reversed'] as const),
] as const;
export type Way = (typeof WAYS)[number];

/** What goes wrong around them. */
export const TROUBLES = [
  ...(['kill', 'kill_all_at_write', 'power', 'power_at_write', 'bad_disk', 'full_disk'] as const),
  ...(['long_reader', 'bad_disk_then_reader', 'bad_disk_then_reader'] as const),
  ...(['cut', 'storm', 'clock', 'machine_sleeps', 'phone_killed', 'phone_dies_sending'] as const),
  ...(['proxy', 'shop_down', 'shop_slow', 'node_lies', 'node_down'] as const),
  ...(['reorganisation', 'reorganisation'] as const),
] as const;
export type Problem = (typeof TROUBLES)[number];

export type Item = {
  /** Milliseconds from the beginning. */
  readonly at: number;
  /** Of its own chance. */
  readonly seed: string;
} & (
  | { readonly kind: 'order'; readonly way: Way }
  /** A text that looks like a wallet's and comes from somebody else. */
  | { readonly kind: 'forgery' }
  /** Somebody tries made-up ids on a payment. */
  | { readonly kind: 'guesses' }
  | { readonly kind: 'dispatch' }
  /** A customer pays in parts. */
  | { readonly kind: 'parts' }
  /** An owner sends money back. */
  | { readonly kind: 'refund' }
  /** A text that says that money was sent back which was not. */
  | { readonly kind: 'forged_transfer' }
  /** A person decides on what waits for one. */
  | { readonly kind: 'operator' }
  | { readonly kind: 'problem'; readonly what: Problem; readonly ms: number }
);

const DAY_MS = 86_400_000;
const ORDER_EVERY_MS = 1_300;
const FORGERY_EVERY_MS = 20_000;
const GUESSES_EVERY_MS = 30_000;
const DISPATCH_EVERY_MS = 10_000;
const OPERATOR_EVERY_MS = 20_000;
const PARTS_EVERY_MS = 6_000;
const REFUND_EVERY_MS = 2_500;
const FORGED_TRANSFER_EVERY_MS = 6_000;
const TROUBLE_EVERY_MS = 6_000;

/** @returns the items in the order of their times. */
export function makePlan(seed: number, { days }: Pick<Size, 'days'>): Item[] {
  const chance = new Chance(`plan ${seed}`);
  const endMs = Math.round(days * DAY_MS);
  const items: Item[] = [];
  const spread = (everyMs: number, make: (own: Pick<Item, 'at' | 'seed'>) => Item) => {
    for (let at = chance.whole(0, 2 * everyMs); at < endMs; at += chance.whole(1, 2 * everyMs)) {
      items.push(make({ at, seed: `${seed}.${items.length}` }));
    }
  };
  spread(ORDER_EVERY_MS, (own) => ({ ...own, kind: 'order', way: chance.pick(WAYS) }));
  spread(FORGERY_EVERY_MS, (own) => ({ ...own, kind: 'forgery' }));
  spread(GUESSES_EVERY_MS, (own) => ({ ...own, kind: 'guesses' }));
  spread(DISPATCH_EVERY_MS, (own) => ({ ...own, kind: 'dispatch' }));
  spread(OPERATOR_EVERY_MS, (own) => ({ ...own, kind: 'operator' }));
  // Some histories are quiet: what goes wrong without any problem is the easiest to understand.
  if (chance.is(0.9)) {
    spread(TROUBLE_EVERY_MS, (own) => {
      const what = chance.pick(TROUBLES);
      return { ...own, kind: 'problem', what, ms: chance.whole(200, 20_000) };
    });
  }
  spread(PARTS_EVERY_MS, (own) => ({ ...own, kind: 'parts' }));
  spread(REFUND_EVERY_MS, (own) => ({ ...own, kind: 'refund' }));
  spread(FORGED_TRANSFER_EVERY_MS, (own) => ({ ...own, kind: 'forged_transfer' }));
  return items.sort((one, other) => one.at - other.at);
}
