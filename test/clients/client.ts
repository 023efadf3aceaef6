/**
 * A shop that runs one of other people's programs: what it sends, how it reads an answer, what it books. Each
 * is written here after the behaviour of the published program; none of its code is.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Php } from './php.js';

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a shop has when it is set up. */
export interface ShopPlace {
  /** The daemon, by path. */
  ask(path: string, ask: Ask): Promise<Reply>;
  readonly key: string;
  /** The webhook secret of the brand. */
  readonly secret: string;
  /** Where customers see the shop: `https://shop.example`. */
  readonly site: string;
  /** Where its server hears of payments. */
  readonly hook: string;
  readonly php: Php;
}

/** A notification as the shop's server gets it. */
export interface Heard {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ShopProgram {
  /** What a customer has to send for an order, such as `121.00`. */
  readonly taka: string;
  /** Asks for a payment. @returns the link of its page */
  open(order: string): Promise<string>;
  /** A customer's browser comes to an address of the shop. */
  visit(address: URL): Promise<void>;
  /** @returns the status that the shop's server answers. */
  hear(heard: Heard): Promise<number>;
  /** How often an order was booked as paid. */
  booked(order: string): number;
}

export type MakeProgram = (place: ShopPlace) => ShopProgram;

/** An order of this name costs ten times as much as the others. */
export const DEAR = 'dear';

/** @returns what that order costs, from what all others cost. */
export const priceOf = (order: string, price: number): number => (order.includes(DEAR) ? price * 10 : price);

/** The books of a shop. */
export class Books {
  private readonly counts = new Map<string, number>();

  /** Books again whatever was booked before. */
  add(order: string): void {
    this.counts.set(order, this.count(order) + 1);
  }

  /** Books what is not booked yet, as a program does that looks at the state of the order first. */
  once(order: string): void {
    if (this.count(order) === 0) this.add(order);
  }

  count(order: string): number {
    return this.counts.get(order) ?? 0;
  }
}

/** A program that has no receiver of notifications, or none that listens: whatever comes gets this status. */
export const deafTo = (status: number) => async (): Promise<number> => status;

/** @returns the fields of a notification as `$_REQUEST` of PHP has them: the form before the query. */
export function requestOf({ url, headers, body }: Heard): Readonly<Record<string, string>> {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  const form = isForm ? Object.fromEntries(new URLSearchParams(body)) : {};
  return { ...Object.fromEntries(url.searchParams), ...form };
}

/** POSTs JSON under these headers. */
export function postJson(
  { ask }: Pick<ShopPlace, 'ask'>,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object | string,
): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  });
}

/** @returns the link of an answer to create. @throws Error where the shop is refused. */
export function linkOf({ text }: Reply): string {
  const { payment_url } = JSON.parse(text) as { readonly payment_url?: string };
  if (payment_url === undefined) throw new Error(`create was refused: ${text}`);
  return payment_url;
}

/**
 * What a shop of its own does around a library, as careless as PHP allows: page and receiver take order and
 * reference as they come, and believe what PHP makes of verify.
 * @param verify asks about a reference. @param inputOf reads what came to the receiver.
 */
export function carelessly(
  { php }: Pick<ShopPlace, 'php'>,
  verify: (reference: string | undefined) => Promise<Reply>,
  inputOf: (heard: Heard) => Readonly<Record<string, string>> = requestOf,
): Pick<ShopProgram, 'visit' | 'hear' | 'booked'> {
  const books = new Books();
  const settle = async (order: string, reference: string | undefined): Promise<void> => {
    const { text } = await verify(reference);
    if ((await php.judge('loose_or_success', text)).paid) books.once(order);
  };
  return {
    visit: async ({ searchParams }) => {
      const order = searchParams.get('order');
      if (order !== null) await settle(order, searchParams.get('transactionId') ?? undefined);
    },
    hear: async (heard) => {
      const { order = '', transactionId, transaction_id } = inputOf(heard);
      await settle(order, transactionId ?? transaction_id);
      return 200;
    },
    booked: (order) => books.count(order),
  };
}
