/** What the scenarios of sending share: who is notified of what, and what they hand back. */
import type { AttemptResult } from '../../src/domain/notifications/notification.js';
import type { Post } from '../../src/notify/send.js';
import type { Pair } from '../helpers/network/authority.js';

export const SHOP = 'shop.example';
export const SECRETS = ['whsec_AAECAwQFBgcICQoLDA0ODw==', 'whsec_Dw4NDAsKCQgHBgUEAwIBAA=='];
export const CONTENT = '{"event":"ping","cus_name":"রহিম উদ্দিন €"}';

export type Outcome = AttemptResult & { readonly seen?: unknown };
export type Scenarios = Readonly<Record<string, () => Promise<Outcome>>>;

export interface Ground {
  /** Where receivers listen. */
  readonly host: string;
  readonly authority: Pair;
  /** A certificate that holds for `SHOP` and for `host`. */
  readonly pair: Pair;
  /** Sends to `https://shop.example:<port>/hook`, which resolves to `host`, unless told otherwise. */
  send(to: number | string, options?: SendOptions): Promise<AttemptResult>;
}

export interface SendOptions extends Partial<Pick<Post, 'allowPrivate'>> {
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Asks the DNS server of this machine's configuration. */
  readonly dns?: boolean;
}
