/**
 * Looks up a claim's payment on a chain or exchange. Writes nothing; the next database transaction decides.
 */
import type { ChainNode, ChainQuestion } from '../../channels/bep20/types.js';
import { type Lookup, unavailable } from '../../channels/channel.js';
import type { ExchangeAccount } from '../../channels/exchange-pay/exchange.js';
import { CHANNEL, type PulledChannel } from '../../domain/accounts/channels.js';
import { creditedName, parseShopNumber } from '../../domain/matching/reference.js';
import type { Db, NodeTable } from '../../store/schema/index.js';
import { nodesOfChain } from '../../store/tables/nodes.js';
import { observedAliases } from '../../store/tables/proofs.js';
import { quotesOn } from '../../store/tables/quotes.js';
import type { Core } from '../core/core.js';
import { ifReadable, sealPurpose } from '../core/sealing.js';

/** A session's terms in USDT, as they were shown when it was opened. */
type Quote = NonNullable<Awaited<ReturnType<typeof quotesOn.first>>>;

export interface SourceQuestion {
  readonly channel: PulledChannel;
  /** Reference in stored form (domain/matching/reference). */
  readonly reference: string;
  readonly quote: Quote;
  /** Creation time of the session, milliseconds since the epoch. */
  readonly createdAt: number;
}

/** @returns one question for each account that was shown; empty if that method was not offered. */
export async function listQuestions(
  db: Db,
  session: { readonly id: string; readonly created_at: number },
  channel: PulledChannel,
  reference: string,
): Promise<SourceQuestion[]> {
  const quotes = await quotesOn.all(db, { session: session.id, channel });
  return quotes.map((quote) => ({ channel, reference, quote, createdAt: session.created_at }));
}

/** A question to a source, and its answer. */
export interface SourceAnswer {
  readonly asked: SourceQuestion;
  readonly lookup: Lookup;
}

/** Most conclusive outcome first. */
const CONCLUSIVENESS: Readonly<Record<Lookup['outcome'], number>> = {
  found: 0,
  not_final: 1,
  refused: 2,
  unavailable: 3,
  not_found: 4,
};

/** Queries every account, because the customer's claim does not say which one was paid. */
export async function queryAllSources(
  core: Core,
  questions: readonly SourceQuestion[],
): Promise<SourceAnswer | null> {
  const seen = await Promise.all(
    questions.map(async (asked) => ({ asked, lookup: await askSource(core, asked) })),
  );
  const [most] = seen.sort((a, b) => CONCLUSIVENESS[a.lookup.outcome] - CONCLUSIVENESS[b.lookup.outcome]);
  return most ?? null;
}

/** Queries one source. A failure of the source is an outcome, never an exception. */
async function askSource(core: Core, asked: SourceQuestion): Promise<Lookup> {
  const { source } = CHANNEL[asked.channel];
  switch (source) {
    case 'chain':
      return askChain(core, asked);
    case 'exchange': {
      const [lookup] = await queryExchange(core, [asked]);
      return lookup ?? unavailable('nothing was queried');
    }
    default:
      return source satisfies never;
  }
}

async function askChain(core: Core, asked: SourceQuestion): Promise<Lookup> {
  const question = chainQuestion(asked);
  const nodes = await chainNodes(core, question.chainId);
  return (await core.outside.chain()).lookup(nodes, question);
}

/**
 * Loads the nodes of a chain with their decrypted addresses, in query order. A node that was encrypted with
 * another key file is skipped: the others can still be queried, and the doctor names it.
 */
export async function chainNodes(core: Core, chainId: number): Promise<ChainNode[]> {
  const rows = await core.store.read((db) => nodesOfChain.all(db, { chain: chainId }));
  return rows.flatMap((row) => openNode(core, row) ?? []);
}

/** @returns null where its address cannot be opened with this key file. */
export function openNode(
  core: Core,
  { id, url, batches }: Pick<NodeTable, 'id' | 'url' | 'batches'>,
): ChainNode | null {
  const opened = ifReadable(() => core.secrets.open(url, sealPurpose('node', id)));
  return opened === null ? null : { id, url: opened, batches: batches === 1 };
}

/** The time is judged by domain/matching/matching-usdt, for which a reader needs not know it. */
export function chainQuestion({
  reference,
  quote,
}: {
  readonly reference: string;
  readonly quote: Pick<Quote, 'details' | 'receiver'>;
}): ChainQuestion {
  const details = JSON.parse(quote.details) as Readonly<Record<string, string>>;
  return {
    hash: reference,
    chainId: Number(details.chain_id),
    token: details.token ?? '',
    decimals: Number(details.decimals),
    receiver: quote.receiver,
  };
}

/**
 * @param asked questions about one exchange account.
 * @returns one lookup for each, in the same order. If the credentials cannot be decrypted with this key file,
 * all are unavailable: other accounts can still be queried, and the doctor names this one.
 */
export async function queryExchange(
  core: Core,
  asked: readonly SourceQuestion[],
): Promise<readonly Lookup[]> {
  const [first] = asked;
  if (first === undefined) return [];
  const account = ifReadable(() => exchangeAccount(core, first.quote));
  if (account === null) {
    return asked.map(() => unavailable('the credentials cannot be decrypted with this secret.key'));
  }
  const others = await core.store.read(async (db) => {
    const known = [];
    for (const one of asked) known.push(await otherId(db, one));
    return known;
  });
  const questions = asked.map(({ reference, createdAt }, index) => {
    const askAs = others[index];
    return { id: reference, notBefore: createdAt, ...(askAs === undefined ? {} : { askAs }) };
  });
  return (await core.outside.exchange()).lookupMany(account, questions);
}

/**
 * Finds another id to query by, because an API may not accept every id that it returns. A payment that was
 * seen before, and is under review or credited, is queried by an id under which it was found.
 */
async function otherId(db: Db, { channel, reference, quote }: SourceQuestion): Promise<string | undefined> {
  const name = creditedName(channel, reference);
  const seen = await observedAliases.first(db, { account: quote.account_id, channel, reference: name });
  const aliases = seen === undefined ? [] : (JSON.parse(seen.aliases) as string[]);
  return aliases.find((alias) => parseShopNumber(alias) === null);
}

/** @throws KashboxError `secret_unreadable` */
export function exchangeAccount(
  core: Core,
  account: Pick<Quote, 'account_id' | 'receiver' | 'details' | 'secret'>,
): ExchangeAccount {
  const details = JSON.parse(account.details) as Readonly<Record<string, string>>;
  const sealed = account.secret ?? '';
  const opened = core.secrets.open(sealed, sealPurpose('exchange', account.account_id));
  const { key, secret } = JSON.parse(opened) as Pick<ExchangeAccount, 'key' | 'secret'>;
  return {
    id: account.account_id,
    driver: details.driver ?? '',
    receiver: account.receiver,
    baseUrl: details.base_url ?? '',
    key,
    secret,
  };
}
