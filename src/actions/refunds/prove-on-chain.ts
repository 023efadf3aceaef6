/** Proves by the nodes of a chain that the USDT of a refund was sent, and stores the transfer. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { newRowId } from '../../base/values/ids.js';
import { echoed } from '../../base/values/text.js';
import type { Lookup } from '../../channels/channel.js';
import { accountsOfBrand } from '../../store/tables/accounts.js';
import { insertSent, type RefundRow } from '../../store/tables/refunds.js';
import type { Core } from '../core/core.js';
import { chainNodes, chainQuestion } from '../usdt/query-sources.js';

/** The clock of the chain may be behind this one, ms. */
const SLACK_MS = 60_000;

/**
 * Looks a transaction up: final, of the token's own contract, from an address that the brand has or had, to
 * the payee, at least the USDT of the refund, and later than the refund. Stores it as sent money.
 * @param hash `0x` and 64 digits, lower case.
 * @throws KashboxError `warning_unconfirmed` if it does not prove that, `invalid_input`, `state_refused`
 */
export async function proveOnChain(core: Core, refund: RefundRow, hash: string): Promise<void> {
  const { merchant_id, channel, payee, units, brand_id: brand, created_at: createdAt } = refund;
  if (!/^0x[\da-f]{64}$/.test(hash)) {
    refuse(`reference "${echoed(hash)}" is not a hash`, 'Copy the transaction hash: 0x and 64 digits.');
  }
  if (payee === null || units === null) {
    throw new KashboxError('state_refused', {
      message: `Refund ${refund.id} has no address yet`,
      hint: `Complete it first: kashbox refunds update ${refund.id} --number ADDRESS`,
    });
  }
  const accounts = await core.store.read((db) => accountsOfBrand.all(db, { brand: brand ?? '' }));
  const chain = await core.outside.chain();
  let problem = 'the brand has no address that it could come from';
  for (const { number: sender, details } of accounts.filter((account) => account.channel === channel)) {
    const question = { ...chainQuestion({ reference: hash, quote: { receiver: payee, details } }), sender };
    const lookup = await chain.lookup(await chainNodes(core, question.chainId), question);
    if (lookup.outcome !== 'found') {
      problem = problemOf(lookup);
      continue;
    }
    const { amounts, at } = lookup.payment;
    const sent = amounts.reduce((sum, amount) => sum + amount, 0n);
    if (sent < BigInt(units)) throw unproven(refund, hash, 'it is less than the refund');
    if (at < createdAt - SLACK_MS) throw unproven(refund, hash, 'it is older than the refund');
    const now = core.clock.now();
    const row = { merchant_id, channel, reference: hash, sender, payee, units: String(sent), at };
    await core.store.write((db) =>
      insertSent(db, {
        ...{ ...row, id: newRowId(core.random, now, 'sent'), created_at: now },
        ...{ amount_paisa: null, fee_paisa: null, balance_paisa: null, source_id: null, reason: null },
      }),
    );
    return;
  }
  throw unproven(refund, hash, problem);
}

function problemOf(lookup: Exclude<Lookup, { readonly outcome: 'found' }>): string {
  switch (lookup.outcome) {
    case 'not_found':
      return 'no node knows it';
    case 'not_final':
      return `it is not final, with ${lookup.detail}`;
    case 'refused':
      return 'it does not send USDT from an address of the brand to the payee';
    case 'unavailable':
      return lookup.detail;
    default:
      return lookup satisfies never;
  }
}

function unproven({ id }: RefundRow, hash: string, problem: string): KashboxError {
  return new KashboxError('warning_unconfirmed', {
    message: `The transaction does not prove refund ${id}: ${problem}`,
    hint:
      'Check the hash, and try again in some minutes. If you are sure, add --force: kashbox refunds close ' +
      `${id} --reference ${hash} --note WHY --force`,
  });
}
