/** SMS as an operator reads them, and above all those that no payment has used yet. */
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { echoed } from '../../base/values/text.js';
import { idInPasted } from '../../domain/matching/reference.js';
import { KNOWN_WITHOUT_FORMAT } from '../../domain/wallets/format.js';
import { readQuestion } from '../../domain/why/question.js';
import type { Db } from '../../store/schema/index.js';
import { holds, olderThan, type Page } from '../../store/tables/list-position.js';
import type { Core } from '../core/core.js';
import { by, type PagedInput, pagesOf, whole } from '../input/pages.js';
import { viewOf } from '../input/view.js';

export type SmsRow = ReturnType<typeof smsView>;

type StoredSms = Awaited<ReturnType<typeof listedSms>>[number];

export const smsView = viewOf<StoredSms>()(({ same, times, taka }) => ({
  ...same('id'),
  ...times('received_at'),
  ...same('device', 'sender', 'recipient', 'channel', 'kind', 'settle'),
  amount: taka('amount_paisa'),
  from: (row) => row.payer,
  ...same('trx_id'),
  reasons: (row) => JSON.parse(row.reasons) as readonly string[],
  // The payment is the one that this SMS settled.
  ...same('payment', 'body'),
}));

interface ListSms extends PagedInput {
  /** Only money that no payment has used. */
  readonly unmatched?: boolean | undefined;
  /** Only texts of a wallet that no format consumed: they may be money in words not described yet. */
  readonly unparsed?: boolean | undefined;
  /** Of an SMS that is looked for: its transaction id, amount, payer, or a part of its text or sender. */
  readonly search?: string | undefined;
}

/** Newest first, in pages; without what was played for test brands. */
export function smsPages(core: Core, input: ListSms): AsyncGenerator<SmsRow[]> {
  const read = (page: Page) => core.store.read((db) => listedSms(db, input, page));
  return pagesOf(input, read, by('stored_at'), (row) => smsView(row));
}

export const listSms = whole(smsPages);

function smsWithPhones(db: Db) {
  return (
    db.query
      .selectFrom('sms as s')
      .leftJoin('devices as d', 'd.id', 's.device_id')
      .selectAll('s')
      .select('d.name as device')
      // A text in which two messages were joined has two proofs; it is one line all the same.
      .select((select) =>
        select
          .selectFrom('proofs as p')
          .innerJoin('transactions as t', 't.proof_id', 'p.id')
          .whereRef('p.source_id', '=', 's.id')
          .select((one) => one.fn.min('t.session_id').as('session'))
          .as('payment'),
      )
      .select((select) =>
        select
          .selectFrom('proofs as p')
          .whereRef('p.source_id', '=', 's.id')
          .select((one) => one.fn.min('p.closed_note').as('note'))
          .as('closed'),
      )
  );
}

function listedSms(db: Db, { unmatched, unparsed, search, sinceMs }: ListSms, { after, limit }: Page) {
  const listed = smsWithPhones(db).where('s.source', '!=', 'played');
  let query = listed.orderBy('s.stored_at', 'desc').orderBy('s.id', 'desc').limit(limit);
  if (search !== undefined) {
    const { text, paisa, phone } = readQuestion(search);
    query = query.where((is) =>
      is.or([
        is('s.trx_id', '=', text.toUpperCase()),
        ...(paisa === null ? [] : [is('s.amount_paisa', '=', paisa)]),
        ...(phone === null ? [] : [is('s.payer', '=', phone)]),
        holds('s.sender', text),
        holds('s.body', text),
      ]),
    );
  }
  if (unmatched) {
    query = query.where((either) =>
      either.exists(
        either
          .selectFrom('proofs as p')
          .leftJoin('transactions as t', 't.proof_id', 'p.id')
          .whereRef('p.source_id', '=', 's.id')
          .where('t.id', 'is', null)
          .where('p.closed_note', 'is', null)
          .select('p.id'),
      ),
    );
  }
  if (unparsed) {
    query = query
      .where('s.format', 'is', null)
      .where('s.channel', 'is not', null)
      .where('s.kind', 'not in', KNOWN_WITHOUT_FORMAT);
  }
  if (sinceMs !== undefined) query = query.where('s.stored_at', '>=', sinceMs);
  if (after !== null) query = query.where(olderThan('s.stored_at', 's.id', after));
  return query.execute();
}

/**
 * One SMS in full, with why it counts or does not.
 * @param id its own, or the transaction id that it tells; of several texts the one that counts most.
 * @throws KashboxError `not_found`
 */
export async function showSms(core: Core, id: string) {
  const trxId = (idInPasted(id) ?? id).toUpperCase();
  const row = await core.store.read(
    async (db) =>
      (await smsWithPhones(db).where('s.id', '=', id.trim()).executeTakeFirst()) ??
      (await smsWithPhones(db)
        .where('s.trx_id', '=', trxId)
        .orderBy((of) =>
          of
            .case()
            .when('s.settle', '=', 'auto')
            .then(0)
            .when('s.settle', '=', 'review')
            .then(1)
            .else(2)
            .end(),
        )
        .orderBy('s.stored_at')
        .executeTakeFirst()),
  );
  if (row === undefined) {
    throw new KashboxError('not_found', {
      message: `There is no SMS "${echoed(id)}"`,
      hint: 'See them with `kashbox sms list`, or search: `kashbox sms list --search TEXT`.',
    });
  }
  const { stored_at, fee_paisa, balance_paisa, at, format, source, smsc, sender_type, closed } = row;
  return {
    ...smsView(row),
    stored_at: dhakaIso(stored_at),
    source,
    /** What only a GSM modem tells: number of the SMS centre, type of the sender's address. */
    smsc,
    sender_type,
    fee: takaOrNull(fee_paisa),
    balance: takaOrNull(balance_paisa),
    /** What the text itself says of its time. */
    says_at: at,
    format,
    /** Why a person has closed its money (`kashbox sms close`); null where nobody has. */
    closed,
  };
}

const takaOrNull = (paisa: number | null) => (paisa === null ? null : formatTaka(paisa));
