/** What lies outside and money depends on: nodes of the chain, exchanges, rates. Each is asked now. */
import { dhakaText } from '../../base/clock.js';
import { isKashboxError } from '../../base/errors.js';
import type { NodeFaultKind } from '../../channels/bep20/types.js';
import { isPulledChannel } from '../../domain/channels.js';
import { EVERY_BRAND } from '../../domain/quote.js';
import type { NodeTable, SourceHealthTable } from '../../store/schema.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import { listedHealth, listedNodes } from '../../store/tables/nodes.js';
import { listedRates } from '../../store/tables/rates.js';
import type { Core } from '../core.js';
import { exchangeAccount, openNode } from '../look-outside.js';
import { type Check, fail, ok, warn } from './check.js';

type Account = Awaited<ReturnType<typeof listedAccounts>>[number];
type Health = ReadonlyMap<string, SourceHealthTable>;

export async function checkOutside(core: Core): Promise<Check[]> {
  const { accounts, nodes, health, rates } = await core.store.read(async (db) => ({
    accounts: (await listedAccounts(db, null, false)).filter(({ channel }) => isPulledChannel(channel)),
    nodes: await listedNodes(db, null),
    health: new Map((await listedHealth(db)).map((row) => [row.source_id, row])),
    rates: new Set((await listedRates(db)).map(({ scope }) => scope)),
  }));
  const unpriced = accounts.filter(({ brand_id }) => !rates.has(brand_id) && !rates.has(EVERY_BRAND));
  const exchanges = accounts.filter(({ channel }) => channel === 'exchange_pay');
  return [
    ...[...new Set(unpriced.map(({ brand }) => brand))].map(noRate),
    ...chainsWithoutNodes(accounts, nodes),
    ...(await Promise.all(nodes.map((node) => checkNode(core, node, health)))),
    ...(await Promise.all(exchanges.map((account) => checkExchange(core, account, health)))),
  ];
}

function noRate(brand: string): Check {
  const message = 'USDT is not offered, because nobody has said what it costs';
  return warn(`rate of ${brand}`, message, 'Say how many taka one USDT costs: kashbox rates set 120.50');
}

function chainsWithoutNodes(accounts: readonly Account[], nodes: readonly NodeTable[]): Check[] {
  const known = new Set(nodes.map(({ chain_id }) => String(chain_id)));
  const used = accounts.flatMap(({ channel, details }) =>
    channel === 'bep20' ? [(JSON.parse(details) as { readonly chain_id: string }).chain_id] : [],
  );
  return [...new Set(used)]
    .filter((chain) => !known.has(chain))
    .map((chain) =>
      fail(
        `nodes of chain ${chain}`,
        'there are none, so no transfer can be confirmed',
        `Add the well-known ones: kashbox nodes add --public --chain ${chain}`,
      ),
    );
}

async function checkNode(core: Core, node: NodeTable, health: Health): Promise<Check> {
  const name = `node ${node.origin}`;
  const past = pastOf(health.get(node.id));
  const opened = openNode(core, node);
  if (opened === null)
    return unreadable(name, 'Remove it and add it again: kashbox nodes remove, nodes add.');
  const check = await (await core.outside.chain()).check(opened, node.chain_id);
  if (check.outcome === 'fault') {
    return warn(
      name,
      `${check.fault.kind}: ${check.fault.detail}${past}`,
      nodeRemedy(check.fault.kind, node.id),
    );
  }
  const message = `chain ${node.chain_id}, block ${check.latest.number}, ${check.tookMs} ms${past}`;
  if (node.batches === 1 && !check.takesBatches) {
    return warn(name, `${message}; takes one question at a time`, 'Add it anew with --no-batch.');
  }
  return ok(name, message);
}

function nodeRemedy(kind: NodeFaultKind, id: string): string {
  if (kind === 'wrong_chain') return `It can never confirm a payment here: kashbox nodes remove ${id}`;
  return 'If it lasts, give another one a smaller priority: kashbox nodes add, kashbox nodes check.';
}

async function checkExchange(core: Core, account: Account, health: Health): Promise<Check> {
  const name = `exchange of ${account.brand}, ${account.type}`;
  const again =
    `Set it again with new credentials: kashbox accounts set --brand "${account.brand}" --channel exchange_pay ` +
    `--type ${account.type} --number ${account.number}`;
  try {
    const { id: account_id, number: receiver, details, secret } = account;
    const opened = exchangeAccount(core, { account_id, receiver, details, secret });
    const check = await (await core.outside.exchange()).check(opened);
    const past = pastOf(health.get(account.id));
    if (check.outcome === 'failed') {
      const message = `${check.kind}: ${check.detail}${past}`;
      const remedy = exchangeRemedy(check.kind, again);
      // Refused credentials do not come right by themselves: nobody can pay there.
      return check.kind === 'auth' ? fail(name, message, remedy) : warn(name, message, remedy);
    }
    if (check.excess.length > 0) {
      const message = `its key may do more than read: ${check.excess.join(', ')}`;
      return warn(name, message, 'Make a key at the exchange that may read only, and set it.');
    }
    return ok(name, `answers, its key may read only${past}`);
  } catch (error) {
    if (isKashboxError(error, 'secret_unreadable')) return unreadable(name, again);
    throw error;
  }
}

/** New credentials help against nothing but refused ones. */
function exchangeRemedy(kind: string, again: string): string {
  switch (kind) {
    case 'auth':
      return again;
    case 'clock':
      return "Set this machine's clock, by the network best.";
    case 'rate_limited':
      return 'Wait; if it comes back, other programs use the same exchange account too often.';
    default:
      return 'If it lasts, see whether the exchange itself is up, and whether this machine reaches it.';
  }
}

function unreadable(name: string, remedy: string): Check {
  return fail(name, 'what is sealed of it cannot be opened with this secret.key', remedy);
}

/** What daemons and commands have counted so far. */
function pastOf(row: SourceHealthTable | undefined): string {
  if (row === undefined) return '';
  const failures = Object.entries(JSON.parse(row.failures) as Record<string, number>);
  const total = failures.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return `; ${row.calls} calls, none failed`;
  const kinds = failures.map(([kind, count]) => `${kind} ${count}`).join(', ');
  const last = row.last_failure_at === null ? '' : `, last at ${dhakaText(row.last_failure_at)}`;
  return `; of ${row.calls} calls ${total} failed (${kinds}${last})`;
}
