/** Checks what USDT payments need: nodes, exchanges and rates, queried now, and amounts that run out. */
import { isKashboxError } from '../../base/errors/errors.js';
import { dhakaText } from '../../base/values/clock.js';
import { msg, type Text } from '../../base/values/msg.js';
import { formatSteps } from '../../base/values/usdt.js';
import { CHANNEL, isOnChain } from '../../domain/accounts/channels.js';
import { EVERY_BRAND, findAmountClusters } from '../../domain/matching/quote.js';
import type { SourceHealthTable } from '../../store/schema/index.js';
import { type ListedAccount, listedAccounts } from '../../store/tables/accounts.js';
import { listedHealth } from '../../store/tables/nodes.js';
import { heldAmounts } from '../../store/tables/quotes.js';
import { listedRates } from '../../store/tables/rates.js';
import type { Core } from '../core/core.js';
import { type CheckedNode, checkNodes, shortageRemedy, shortageText } from '../usdt/check-nodes.js';
import { exchangeAccount } from '../usdt/query-sources.js';
import { type Finding, fail, ok, warn } from './check.js';

type Health = ReadonlyMap<string, SourceHealthTable>;

export async function checkOutside(core: Core): Promise<Finding[]> {
  return [...(await checkReaders(core)), ...(await checkAmounts(core))];
}

async function checkReaders(core: Core): Promise<Finding[]> {
  const { accounts, health, rates } = await core.store.read(async (db) => ({
    accounts: (await listedAccounts(db, null, false)).filter(
      ({ channel }) => CHANNEL[channel].kind === 'pull',
    ),
    health: new Map((await listedHealth(db)).map((row) => [row.source_id, row])),
    rates: new Set((await listedRates(db)).map(({ scope }) => scope)),
  }));
  const unpriced = accounts.filter(({ brand_id }) => !rates.has(brand_id) && !rates.has(EVERY_BRAND));
  const { nodes, shortages } = await checkNodes(core, {});
  const unpaid = shortages.filter(({ isPaid }) => isPaid);
  const exchanges = accounts.filter(({ channel }) => !isOnChain(channel));
  return [
    ...[...new Set(unpriced.map(({ brand }) => brand))].map(noRate),
    ...unpaid.map((short) =>
      fail(`nodes of chain ${short.chainId}`, shortageText(short), shortageRemedy(short)),
    ),
    ...nodes.map((node) => nodeCheck(node, nodes, health)),
    ...(await Promise.all(exchanges.map((account) => checkExchange(core, account, health)))),
  ];
}

function noRate(brand: string): Finding {
  const message = msg`USDT is not offered because no rate is set`;
  return warn(`rate of ${brand}`, message, msg`Set the price of one USDT in taka: kashbox rates set 120.50`);
}

/** Failing nodes are harmless while enough others work. */
function nodeCheck(node: CheckedNode, all: readonly CheckedNode[], health: Health): Finding {
  const { id, origin, chain_id, state, detail } = node;
  const isAlone = all.every((other) => other === node || other.origin !== origin);
  const name = isAlone ? `node ${origin}` : `node ${origin} (${id})`;
  const past = pastOf(health.get(id));
  if (state === 'unreadable') {
    return unreadable(name, msg`Remove it and add it again: kashbox nodes remove, nodes add.`);
  }
  if (state !== 'well') return warn(name, msg`${state}: ${detail}${past}`, nodeRemedy(state, id));
  const message = msg`chain ${chain_id}, block ${String(node.block)}, ${String(node.took_ms)} ms${past}`;
  if (node.takes_batches === false) {
    return warn(
      name,
      msg`${message}; accepts one request at a time`,
      msg`Remove it and add it again with --no-batch.`,
    );
  }
  return ok(name, message);
}

function nodeRemedy(state: CheckedNode['state'], id: string): Text {
  if (state === 'wrong_chain') return msg`It can never confirm a payment here: kashbox nodes remove ${id}`;
  return msg`If this continues, give another node a smaller priority: kashbox nodes add, kashbox nodes check.`;
}

async function checkExchange(core: Core, account: ListedAccount, health: Health): Promise<Finding> {
  const name = `exchange of ${account.brand}, ${account.type}`;
  const again = msg`Set it again with new credentials: kashbox accounts set --brand "${account.brand}" --channel exchange_pay --type ${account.type} --number ${account.number}`;
  try {
    const { id: account_id, number: receiver, details, secret } = account;
    const opened = exchangeAccount(core, { account_id, receiver, details, secret });
    const check = await (await core.outside.exchange()).check(opened);
    const past = pastOf(health.get(account.id));
    if (check.outcome === 'failed') {
      const message = msg`${check.kind}: ${check.detail}${past}`;
      const remedy = exchangeRemedy(check.kind, again);
      // Refused credentials do not come right by themselves: nobody can pay there.
      return check.kind === 'auth' ? fail(name, message, remedy) : warn(name, message, remedy);
    }
    if (check.excess === null) {
      return ok(name, msg`reachable, key accepted; the API does not list its permissions${past}`);
    }
    if (check.excess.length > 0) {
      const message = msg`the key has more than read permission: ${check.excess.join(', ')}`;
      return warn(name, message, msg`Create a read-only key at the exchange and set it.`);
    }
    return ok(name, msg`reachable, key is read-only${past}`);
  } catch (error) {
    if (isKashboxError(error, 'secret_unreadable')) return unreadable(name, again);
    throw error;
  }
}

/** New credentials help against nothing but refused ones. */
function exchangeRemedy(kind: string, again: Text): Text {
  switch (kind) {
    case 'auth':
      return again;
    case 'clock':
      return msg`Set the clock of this machine, best with NTP.`;
    case 'rate_limited':
      return msg`Wait. If it happens again, other programs use the same exchange account too often.`;
    default:
      return msg`If this continues, check that the exchange is up and that this machine can reach it.`;
  }
}

function unreadable(name: string, remedy: Text): Finding {
  return fail(name, msg`its credentials cannot be decrypted with this secret.key`, remedy);
}

/** Summary of the calls that daemons and commands have counted so far. */
function pastOf(row: SourceHealthTable | undefined): Text {
  if (row === undefined) return '';
  const failures = Object.entries(JSON.parse(row.failures) as Record<string, number>);
  const total = failures.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return msg`; ${row.calls} calls, none failed`;
  const kinds = failures.map(([kind, count]) => `${kind} ${count}`).join(', ');
  const last: Text = row.last_failure_at === null ? '' : msg`, last at ${dhakaText(row.last_failure_at)}`;
  return msg`; of ${row.calls} calls ${total} failed (${kinds}${last})`;
}

export const AMOUNTS_REMEDY = msg`An amount is reserved while its payment is open and one hour longer: shorten payments (kashbox brands update --session-minutes 30), or give each brand its own address (kashbox accounts set --channel bep20).`;

async function checkAmounts(core: Core): Promise<Finding[]> {
  const held = await core.store.read(async (db) => {
    const accounts = (await listedAccounts(db, null, false)).filter(({ channel }) => isOnChain(channel));
    const receivers = [...new Set(accounts.map(({ number }) => number))];
    return receivers.length === 0 ? [] : heldAmounts(db, receivers);
  });
  const amounts = new Map<string, { readonly receiver: string; readonly steps: number[] }>();
  for (const { merchant_id, receiver, amount } of held) {
    const name = `${merchant_id} ${receiver}`;
    const present = amounts.get(name) ?? { receiver, steps: [] };
    present.steps.push(Number(amount));
    amounts.set(name, present);
  }
  return [...amounts.values()].flatMap(({ receiver, steps }) =>
    findAmountClusters(steps).map((cluster) => {
      const many = msg`${cluster.held} of the ${cluster.all} amounts from ${formatSteps(cluster.wanted)} USDT are reserved`;
      const then = msg`when all are, new payments of that price do not offer bep20`;
      return warn(`amounts at ${receiver}`, msg`${many}; ${then}`, AMOUNTS_REMEDY);
    }),
  );
}
