/** What stands on the disk at the end, read past all of Kashbox but its driver. */

export interface Ledger {
  readonly sessions: ReadonlyMap<
    string,
    {
      readonly status: string;
      readonly reason: string;
      readonly paisa: number;
      readonly paid: number;
      readonly refunded: number;
      readonly takesParts: number;
    }
  >;
  readonly credits: readonly {
    readonly session: string;
    readonly channel: string;
    readonly reference: string;
    readonly paisa: number;
    readonly by: string;
    /** USDT in base units, as digits; null where taka were paid. */
    readonly units: string | null;
    readonly proof: string;
    /** What is still due after it. */
    readonly rest: number;
  }[];
  readonly refunds: readonly {
    readonly id: string;
    readonly session: string | null;
    readonly proof: string;
    /** Transaction id of the money. */
    readonly money: string;
    readonly state: string;
    readonly paisa: number;
    readonly payee: string | null;
    readonly by: string | null;
    readonly madeBy: string;
    readonly reference: string | null;
  }[];
  /** Transaction ids of transfers. */
  readonly sent: readonly string[];
  /** Sessions that a person was asked about. */
  readonly reviewed: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  readonly notifications: readonly {
    readonly id: string;
    readonly session: string;
    readonly sequence: number;
    readonly event: string;
    readonly state: string;
    readonly content: string;
  }[];
  readonly dispatches: readonly { readonly message: string; readonly state: string }[];
}

const CREDITS = `SELECT t.session_id AS session, t.channel, t.reference, t.amount_paisa AS paisa,
  t.credited_by AS "by", p.units, t.proof_id AS proof, t.rest_paisa AS rest
  FROM transactions AS t LEFT JOIN proofs AS p ON p.id = t.proof_id ORDER BY t.id`;
const NOTIFICATIONS = `SELECT id, session_id AS session, sequence, event, state, content
  FROM notifications ORDER BY session_id, sequence, id`;
const SESSIONS = `SELECT id, status, reason, amount_paisa AS paisa, paid_paisa AS paid,
  refunded_paisa AS refunded, takes_parts AS "takesParts" FROM sessions ORDER BY id`;
const REFUNDS = `SELECT r.id, r.session_id AS session, r.proof_id AS proof, p.reference AS money, r.state,
  r.amount_paisa AS paisa, r.payee, r.closed_by AS "by", r.created_by AS "madeBy",
  r.reference
  FROM refunds AS r JOIN proofs AS p ON p.id = r.proof_id ORDER BY r.id`;

/** @param rowsOf runs SQL on the store. */
export async function readLedger(rowsOf: (sql: string) => Promise<unknown[]>): Promise<Ledger> {
  const all = async <Row>(sql: string) => (await rowsOf(sql)) as Row[];
  type Session = { id: string } & (Ledger['sessions'] extends ReadonlyMap<string, infer Row> ? Row : never);
  return {
    sessions: new Map((await all<Session>(SESSIONS)).map(({ id, ...row }) => [id, row])),
    credits: await all(CREDITS),
    refunds: await all(REFUNDS),
    sent: (await all<{ reference: string }>('SELECT reference FROM sent_money ORDER BY id')).map(
      ({ reference }) => reference,
    ),
    reviewed: new Set(
      (await all<{ id: string }>('SELECT session_id AS id FROM reviews')).map(({ id }) => id),
    ),
    texts: new Set((await all<{ body: string }>('SELECT body FROM sms ORDER BY id')).map(({ body }) => body)),
    notifications: await all(NOTIFICATIONS),
    dispatches: await all('SELECT message, state FROM dispatches ORDER BY id'),
  };
}
