/** SMS as an operator reads them, and above all those that no payment has used yet. */
import { KashboxError } from '../../base/errors/errors.js';
import { minute } from '../../base/values/clock.js';
import { echoed } from '../../base/values/text.js';
import { REASON_TEXTS, type SmsReason } from '../../channels/mfs/types.js';
import { idInPasted } from '../../domain/matching/reference.js';
import { KIND_TEXTS, KNOWN_WITHOUT_FORMAT } from '../../domain/wallets/format.js';
import { parseQuestion } from '../../domain/why/question.js';
import type { Db } from '../../store/schema/index.js';
import { holds, olderThan, type Page } from '../../store/tables/list-position.js';
import type { Core } from '../core/core.js';
import { collectAll, cursorBy, type PagedInput, paginate } from '../input/pages.js';
import { defineView, type Makers, type SheetEntry } from '../input/view.js';

export type SmsRow = ReturnType<typeof smsView>;

type StoredSms = Awaited<ReturnType<ReturnType<typeof smsWithPhones>['execute']>>[number];

const listed = ({ same, times, taka }: Makers<StoredSms>) => ({
  ...same('id'),
  ...times('received_at'),
  ...same('device', 'sender', 'recipient', 'channel', 'kind', 'settle'),
  amount: taka('amount_paisa'),
  from: (row: StoredSms) => row.payer,
  ...same('trx_id'),
  reasons: (row: StoredSms) => JSON.parse(row.reasons) as readonly string[],
  // The payment is the one that this SMS settled.
  ...same('payment', 'body'),
});

export const smsView = defineView<StoredSms>()(listed);

const smsInFull = defineView<StoredSms>()((make) => ({
  ...listed(make),
  to: (row: StoredSms) => row.payee,
  ...make.times('stored_at'),
  ...make.same('source'),
  /** Number of the SMS centre and type of the sender's address, which only a GSM modem reports. */
  ...make.same('smsc', 'sender_type'),
  /** Name of the operator's source that sent it; null for a wallet's text. */
  ...make.same('source_name'),
  /** Reference of its money, under which it can be approved; null without a proof. */
  ...make.same('reference'),
  fee: make.taka('fee_paisa'),
  balance: make.taka('balance_paisa'),
  /** Time in the text itself. */
  says_at: (row) => row.at,
  ...make.same('format'),
  /** Reason why an operator has closed its money (`kashbox sms close`); null if nobody has. */
  ...make.same('closed'),
}));

const COUNTS: Readonly<Record<StoredSms['settle'], string>> = {
  auto: 'yes: a matching payment is completed automatically',
  review: 'it needs manual review',
  never: 'no',
};

const BY: Readonly<Partial<Record<StoredSms['source'], string>>> = {
  manual: 'typed in by hand',
  played: 'simulated for a test brand: no money',
};

const SENDER_TYPE_TEXTS: Readonly<Record<NonNullable<StoredSms['sender_type']>, string>> = {
  alphanumeric: 'a name',
  international: 'a number with country code',
  national: 'a number of this country',
  short_code: 'a short code',
  unknown: 'not known',
};

/** One SMS in full, but for its text. */
export const smsSheet = smsInFull.sheet({
  id: 'SMS',
  sender: 'Sender',
  received_at: ['Received', ({ received_at }) => minute(received_at)],
  stored_at: ['Stored', ({ stored_at }) => minute(stored_at)],
  source: ['By', ({ source, device }) => BY[source] ?? device],
  device: null,
  recipient: ['On number', ({ recipient }) => recipient ?? 'not reported by the phone'],
  smsc: 'SMS centre',
  sender_type: ['Sender type', ({ sender_type: type }) => (type === null ? null : SENDER_TYPE_TEXTS[type])],
  channel: [
    'Read as',
    ({ channel, kind }) => [...(channel === null ? [] : [channel]), kindText(kind)].join(', '),
  ],
  kind: null,
  amount: 'Amount',
  from: 'From',
  trx_id: 'Transaction',
  reference: [
    'Reference',
    ({ reference, trx_id: id }) => (reference === id?.toUpperCase() ? null : reference),
  ],
  source_name: 'Source',
  fee: 'Fee',
  balance: 'Balance',
  says_at: 'Says time',
  settle: ['Counts', ({ settle }) => COUNTS[settle]],
  reasons: ({ reasons }) =>
    reasons.map((reason): SheetEntry => ['Because', REASON_TEXTS[reason as SmsReason]]),
  payment: ['Payment', ({ payment }) => payment ?? 'none'],
  closed: 'Closed',
  format: null,
  body: null,
});

const kindText = (kind: string) => Object.entries(KIND_TEXTS).find(([name]) => name === kind)?.[1] ?? kind;

interface ListSms extends PagedInput {
  /** Lists only money that no payment has used. */
  readonly unmatched?: boolean | undefined;
  /** Lists only wallet texts that no format parsed: they may be money in a wording not described yet. */
  readonly unparsed?: boolean | undefined;
  /** Search text: transaction id, amount, payer, or a part of its text or sender. */
  readonly search?: string | undefined;
}

/** Lists SMS in pages, newest first, without those simulated for test brands. */
export function smsPages(core: Core, input: ListSms): AsyncGenerator<SmsRow[]> {
  const read = (page: Page) => core.store.read((db) => listedSms(db, input, page));
  return paginate(input, read, cursorBy('stored_at'), (row) => smsView(row));
}

export const listSms = collectAll(smsPages);

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
      .select((select) =>
        select
          .selectFrom('proofs as p')
          .whereRef('p.source_id', '=', 's.id')
          .select((one) => one.fn.min('p.reference').as('reference'))
          .as('reference'),
      )
  );
}

function listedSms(db: Db, { unmatched, unparsed, search, sinceMs }: ListSms, { after, limit }: Page) {
  const listed = smsWithPhones(db).where('s.source', '!=', 'played');
  let query = listed.orderBy('s.stored_at', 'desc').orderBy('s.id', 'desc').limit(limit);
  if (search !== undefined) {
    const { text, paisa, phone } = parseQuestion(search);
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
 * Returns one SMS in full, with the reason why it counts or does not.
 * @param id its own, or the transaction id in its text (of several texts, the one that counts most).
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
      hint: 'List them with `kashbox sms list`, or search: `kashbox sms list --search TEXT`.',
    });
  }
  return smsInFull(row);
}
