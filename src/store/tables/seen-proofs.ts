/** Proofs of what was seen outside, and under which ids they have been credited. */
import { sql } from 'kysely';
import { hot, hotIn } from '../compiled-query.js';
import type { NewProof } from '../schema/index.js';

/** Whether a person is asked about a proof for another session of that merchant. */
export const openReviewOfProof = hot<{
  merchant: string;
  channel: string;
  reference: string;
  scope: string;
  session: string;
}>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .innerJoin('reviews as r', 'r.proof_id', 'p.id')
    .where('p.merchant_id', '=', value.merchant)
    .where('p.channel', '=', value.channel)
    .where('p.reference', '=', value.reference)
    .where('p.scope', '=', value.scope)
    .where('r.session_id', '!=', value.session)
    .where(sql`r.state || ''`, '=', 'OPEN')
    .limit(1)
    .select('r.id'),
);

/** A session by its id or its gateway reference, whichever brand's it is. */
export const sessionNumbered = hot<{ id: string; reference: string }>()((db, value) =>
  db.query
    .selectFrom('sessions')
    .where('id', '=', value.id)
    .select('id')
    .unionAll(db.query.selectFrom('sessions').where('gateway_reference', '=', value.reference).select('id'))
    .limit(1),
);

/** The other ids of what the merchant of an account has seen under one. */
export const seenAliases = hot<{ account: string; channel: string; reference: string }>()((db, value) =>
  db.query
    .selectFrom('accounts as a')
    .innerJoin('brands as b', 'b.id', 'a.brand_id')
    .innerJoin('proofs as p', 'p.merchant_id', 'b.merchant_id')
    .where('a.id', '=', value.account)
    .where('p.channel', '=', value.channel)
    .where('p.reference', '=', value.reference)
    .select('p.aliases'),
);

type SeenProof = { [Column in keyof NewProof]: NewProof[Column] };

/**
 * Keeps what was seen outside, or brings it up to date where it was seen before: by then it may have moved
 * to another block.
 */
export const putSeenProof = hot<SeenProof>()((db, value) => {
  const news = {
    amount_paisa: value.amount_paisa,
    recipient: value.recipient,
    payer: value.payer,
    kind: value.kind,
    settle: value.settle,
    at: value.at,
    source_id: value.source_id,
    aliases: value.aliases,
    units: value.units,
    evidence: value.evidence,
  };
  return db.query
    .insertInto('proofs')
    .values({
      id: value.id,
      merchant_id: value.merchant_id,
      channel: value.channel,
      reference: value.reference,
      scope: value.scope,
      created_at: value.created_at,
      ...news,
    })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'channel', 'reference', 'scope']).doUpdateSet(news),
    )
    .returning('id');
});

/** To whom these names are credited. @param value.beside a second scope. @param names at least one. */
export const holdersOfNames = hotIn<{ channel: string; scope: string; beside: string }>()(
  (db, value, names) =>
    db.query
      .selectFrom('credited_names as n')
      .innerJoin('brands as b', 'b.id', 'n.brand_id')
      .where('n.channel', '=', value.channel)
      .where('n.scope', 'in', [value.scope, value.beside])
      .where('n.name', 'in', names)
      .select(['n.session_id', 'b.merchant_id']),
);
