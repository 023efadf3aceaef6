/** Proofs of observed payments, and the ids under which they were credited. */
import type { PayChannel } from '../../domain/accounts/channels.js';
import { hot, hotIn } from '../compiled-query.js';
import { upserter } from '../compiled-rows.js';

/** Whether a person is asked about a proof for another session of that merchant. */
export const openReviewOfProof = hot<{
  merchant: string;
  channel: PayChannel;
  reference: string;
  scope: string;
  session: string;
}>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .innerJoin('reviews as r', 'r.proof_id', 'p.id')
    .where('p.merchant_id', '=', value('merchant'))
    .where('p.channel', '=', value('channel'))
    .where('p.reference', '=', value('reference'))
    .where('p.scope', '=', value('scope'))
    .where('r.session_id', '!=', value('session'))
    .where('r.state', '=', 'OPEN')
    .limit(1)
    .select('r.id'),
);

/** A session by its id or its gateway reference, whichever brand's it is. */
export const sessionNumbered = hot<{ id: string; reference: string }>()((db, value) =>
  db.query
    .selectFrom('sessions')
    .where('id', '=', value('id'))
    .select('id')
    .unionAll(
      db.query.selectFrom('sessions').where('gateway_reference', '=', value('reference')).select('id'),
    )
    .limit(1),
);

/** The other ids of what the merchant of an account has seen under one. */
export const observedAliases = hot<{ account: string; channel: PayChannel; reference: string }>()(
  (db, value) =>
    db.query
      .selectFrom('accounts as a')
      .innerJoin('brands as b', 'b.id', 'a.brand_id')
      .innerJoin('proofs as p', 'p.merchant_id', 'b.merchant_id')
      .where('a.id', '=', value('account'))
      .where('p.channel', '=', value('channel'))
      .where('p.reference', '=', value('reference'))
      .select('p.aliases'),
);

const MONEY = ['amount_paisa', 'recipient', 'payer', 'kind', 'settle', 'at'] as const;

/**
 * Keeps what was seen outside, or brings it up to date where it was seen before: by then it may have moved
 * to another block.
 */
export const putObservedProof = upserter('proofs', {
  key: ['merchant_id', 'channel', 'reference', 'scope'],
  kept: ['id', 'created_at'],
  news: [...MONEY, 'source_id', 'aliases', 'units', 'evidence'],
  returning: 'id',
});

/** To whom these names are credited. @param beside a second scope. @param names at least one. */
export const holdersOfNames = hotIn<{ channel: PayChannel; scope: string; beside: string }>()(
  (db, value, names) =>
    db.query
      .selectFrom('credited_names as n')
      .innerJoin('brands as b', 'b.id', 'n.brand_id')
      .where('n.channel', '=', value('channel'))
      .where('n.scope', 'in', [value('scope'), value('beside')])
      .where('n.name', 'in', names)
      .select(['n.session_id', 'b.merchant_id']),
);
