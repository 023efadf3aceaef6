/** Why a payment is not completed: what explains it, from the surest to the vaguest. */
import test from 'ava';
import {
  type ClaimFacts,
  findCause,
  findReviewMoney,
  type GapFacts,
  type MoneyFacts,
  type PaymentCase,
  type PaymentFacts,
  type PhoneFacts,
  type ReviewFacts,
} from '../../../src/domain/why/cause.js';

const HOUR = 3_600_000;
const OPENED = Date.UTC(2026, 7, 21, 6, 0);
const NUMBER = '01711000001';
const DUE = 50_000;

const payment: PaymentFacts = {
  id: 'ses_1',
  gateway_reference: 'GREF00000001',
  brand: 'Alo Store',
  status: 'PENDING',
  reason: 'no_claim',
  amount_paisa: DUE,
  cus_name: 'রহিম',
  created_at: OPENED,
  expires_at: OPENED + HOUR,
  closed_at: null,
  channel: null,
  transaction_id: null,
  paid_paisa: 0,
  due_paisa: DUE,
};
const claim: ClaimFacts = {
  payment: payment.gateway_reference,
  channel: 'mfs_a',
  reference: 'DKM4TYP001',
  state: 'WAITING',
  reason: 'not_seen_yet',
  due_paisa: DUE,
  created_at: OPENED + 60_000,
};
const money: MoneyFacts = {
  id: 'sms_1',
  source: 'sms',
  channel: 'mfs_a',
  reference: claim.reference,
  amount_paisa: DUE,
  payer: '01811000001',
  recipient: NUMBER,
  kind: 'received',
  settle: 'auto',
  sender: 'bKash',
  doubts: [],
  disputed: false,
  closed: null,
  review: null,
  at: OPENED + 30_000,
  stored_at: OPENED + 31_000,
  device: 'counter-1',
  payment: null,
};
const phone: PhoneFacts = {
  name: 'counter-1',
  state: 'ONLINE',
  last_seen_at: OPENED,
  problem: null,
  queued: 0,
  numbers: [NUMBER],
};
const review: ReviewFacts = {
  id: 'rev_1',
  channel: 'mfs_a',
  reference: claim.reference,
  reason: 'overpaid',
  state: 'OPEN',
};
const gap: GapFacts = {
  id: 'gap_1',
  channel: 'mfs_a',
  recipient: NUMBER,
  missing_paisa: DUE,
  found_at: OPENED + HOUR,
};

const caseOf = (more: Partial<PaymentCase> = {}): PaymentCase => ({
  payment,
  claims: [claim],
  reviews: [],
  credits: [],
  refunds: [],
  accounts: [{ channel: 'mfs_a', number: NUMBER }],
  money: [],
  gaps: [],
  phones: [phone],
  window_hours: 24,
  ...more,
});
const foreign = { ...money, id: 'sms_2', reference: 'ZZZZZZZZZZ' };

test('a completed payment needs no other cause', (t) => {
  const given = caseOf({ payment: { ...payment, status: 'COMPLETED' }, reviews: [review], money: [money] });
  t.deepEqual(findCause(given), { code: 'credited' });
});

test('an open review comes before all money; one that is decided does not count', (t) => {
  const decided = { ...review, id: 'rev_0', state: 'REJECTED' } as const;
  t.deepEqual(findCause(caseOf({ reviews: [decided, review], money: [money] })), {
    code: 'under_review',
    review,
  });
  t.is(findCause(caseOf({ reviews: [decided], money: [money] })).code, 'waiting');
});

test('a refused claim says why, with the money of its channel under its id', (t) => {
  const refused = (reason: string) => ({ ...claim, state: 'REFUSED', reason }) as const;
  const [less, again] = [refused('amount'), refused('already_credited')];
  const other = { ...money, id: 'sms_0', channel: 'mfs_b' } as const;
  const cause = findCause(caseOf({ claims: [less], money: [other, money] }));
  t.deepEqual(cause, { code: 'disagrees', about: 'amount', claim: less, money });
  t.deepEqual(findCause(caseOf({ claims: [less] })), { ...cause, money: null });
  t.deepEqual(findCause(caseOf({ claims: [again], money: [money] })), {
    code: 'already_credited',
    claim: again,
    money,
  });
  const rejected = refused('rejected');
  t.deepEqual(findCause(caseOf({ claims: [rejected], money: [money] })), {
    code: 'rejected',
    claim: rejected,
  });
});

test('a claim that is not refused is not explained by words of a refusal', (t) => {
  const waiting = { ...claim, reason: 'rejected' };
  t.deepEqual(findCause(caseOf({ claims: [waiting], money: [money] })), { code: 'waiting', claim: waiting });
});

test('reports money under the id that completed another payment, but not that of this payment', (t) => {
  const spent = { ...money, payment: 'GREF00000002' };
  t.deepEqual(findCause(caseOf({ money: [spent] })), { code: 'already_credited', claim, money: spent });
  const own = { ...money, payment: payment.gateway_reference };
  t.deepEqual(findCause(caseOf({ money: [own] })), { code: 'waiting', claim });
});

test('the id is known in small letters, and on another channel', (t) => {
  const small = { ...claim, reference: 'dkm4typ001' };
  t.deepEqual(findCause(caseOf({ claims: [small], money: [money] })), { code: 'waiting', claim: small });
  const other = { ...money, channel: 'mfs_b' } as const;
  t.deepEqual(findCause(caseOf({ money: [other] })), { code: 'other_channel', claim, money: other });
});

test('reports a text under the id that is not money, unless there is money as well', (t) => {
  const text = { ...money, settle: 'never', kind: 'sent' } as const;
  t.deepEqual(findCause(caseOf({ money: [text] })), { code: 'no_money', claim, money: text });
  t.is(findCause(caseOf({ money: [text, money] })).code, 'waiting');
});

test('reports a forgery first among texts under the id, and no text of an unknown wallet', (t) => {
  const text = { ...money, settle: 'never', kind: 'outgoing' } as const;
  const forged = { ...text, id: 'sms_0', kind: 'spoofed', amount_paisa: null };
  t.deepEqual(findCause(caseOf({ money: [text, forged] })), { code: 'no_money', claim, money: forged });
  const chat = { ...text, channel: null, kind: 'unknown' };
  t.is(findCause(caseOf({ money: [chat] })).code, 'not_seen');
});

test('a review concerns money of that channel, else the text that names the id', (t) => {
  const forged = { ...money, id: 'sms_0', settle: 'never', kind: 'spoofed' } as const;
  const other = { ...money, id: 'sms_3', channel: 'mfs_b' } as const;
  t.is(findReviewMoney(caseOf({ money: [forged, other, money] }), review), money);
  t.is(findReviewMoney(caseOf({ money: [other, forged] }), review), forged);
  t.is(findReviewMoney(caseOf({ money: [foreign, other] }), review), null);
  const push = { ...foreign, review: review.id };
  t.is(findReviewMoney(caseOf({ money: [push] }), review), push, 'the claim names the payer');
});

test('money under review is not free, and doubtful money comes last', (t) => {
  const asked = { ...foreign, review: 'rev_9' };
  t.is(findCause(caseOf({ money: [asked] })).code, 'not_seen');
  for (const odd of [{ settle: 'review' } as const, { disputed: true }]) {
    const doubted = { ...foreign, id: 'sms_0', at: OPENED, ...odd };
    t.like(findCause(caseOf({ money: [doubted] })), { code: 'same_amount', money: { id: 'sms_0' } });
    t.like(findCause(caseOf({ money: [doubted, foreign] })), { code: 'same_amount', money: { id: 'sms_2' } });
  }
});

test('a claim waits where something is known of its money, by the money or by its reason', (t) => {
  for (const reason of ['not_seen_yet', 'ask_full_number', 'credited'])
    t.is(findCause(caseOf({ claims: [{ ...claim, reason }] })).code, 'not_seen', reason);
  const confirming = { ...claim, reason: 'confirmations' };
  t.deepEqual(findCause(caseOf({ claims: [confirming] })), { code: 'waiting', claim: confirming });
});

test('the claims are gone through from the newest on, and the first that is explained counts', (t) => {
  const typed = { ...claim, reference: 'DKM4TYP999' };
  t.deepEqual(findCause(caseOf({ claims: [typed, claim], money: [money] })), { code: 'waiting', claim });
});

test('reports free money one typo away, preferably of the amount due', (t) => {
  const typed = { ...claim, reference: 'DKM4TYPO01' };
  const claims = [typed];
  const less = { ...money, id: 'sms_0', reference: 'DKM4TYP0O1', amount_paisa: 100 };
  t.deepEqual(findCause(caseOf({ claims, money: [less, money] })), {
    code: 'one_letter',
    claim: typed,
    money,
  });
  t.deepEqual(findCause(caseOf({ claims, money: [less] })), {
    code: 'one_letter',
    claim: typed,
    money: less,
  });
  for (const taken of [{ settle: 'never' } as const, { payment: 'GREF00000002' }, { reference: null }])
    t.is(findCause(caseOf({ claims, money: [{ ...less, ...taken }] })).code, 'not_seen');
});

test('reports free money of exactly the amount due, with the newest claim if there is one', (t) => {
  t.deepEqual(findCause(caseOf({ money: [foreign] })), { code: 'same_amount', claim, money: foreign });
  t.deepEqual(findCause(caseOf({ claims: [], money: [foreign] })), {
    code: 'same_amount',
    claim: null,
    money: foreign,
  });
  const weak = { ...foreign, settle: 'weak' } as const;
  t.deepEqual(findCause(caseOf({ money: [weak] })), { code: 'weak_money', money: weak });
  const kept = { ...claim, reference: weak.reference ?? '', channel: weak.channel ?? claim.channel };
  t.like(findCause(caseOf({ claims: [kept], money: [weak] })), { code: 'weak_money' });
  const withFee = { ...claim, due_paisa: 50_925 };
  const more = { ...foreign, amount_paisa: withFee.due_paisa };
  t.is(findCause(caseOf({ claims: [withFee], money: [more] })).code, 'same_amount');
  for (const taken of [
    { amount_paisa: 50_001 },
    { amount_paisa: null },
    { settle: 'never' } as const,
    { payment: 'GREF00000002' },
    { at: OPENED - 24 * HOUR - 1 },
  ])
    t.is(findCause(caseOf({ money: [{ ...foreign, ...taken }] })).code, 'not_seen');
  t.is(findCause(caseOf({ money: [{ ...foreign, at: OPENED - 24 * HOUR }] })).code, 'same_amount');
});

test('of several the one nearest to the beginning is reported; money before it counts as twice as far', (t) => {
  const at = (minutes: number) => ({ ...foreign, id: `sms_${minutes}`, at: OPENED + minutes * 60_000 });
  const idOf = (...minutes: number[]) => {
    const cause = findCause(caseOf({ money: minutes.map(at) }));
    return cause.code === 'same_amount' ? cause.money.id : cause.code;
  };
  t.is(idOf(40, 10, 20), 'sms_10');
  t.is(idOf(-10, 15), 'sms_15');
  t.is(idOf(-10, 25), 'sms_-10');
  t.is(idOf(25, -10), 'sms_-10');
  t.is(idOf(-5, 0), 'sms_0');
});

test('reports an unreadable text of a wallet that came since the payment was opened', (t) => {
  const unread = { ...foreign, kind: 'unknown', settle: 'never', amount_paisa: null, at: OPENED } as const;
  t.deepEqual(findCause(caseOf({ money: [unread], gaps: [gap] })), { code: 'unread_text', money: unread });
  for (const other of [{ at: OPENED - 1 }, { channel: null }, { kind: 'notice' }])
    t.is(findCause(caseOf({ money: [{ ...unread, ...other }] })).code, 'not_seen');
});

test('reports an SMS missing by a balance if it is of a number of the brand and of the amount due', (t) => {
  t.deepEqual(findCause(caseOf({ gaps: [gap], phones: [] })), { code: 'missed_sms', gap });
  const withFee = { ...claim, due_paisa: 50_925 };
  const more = { ...gap, missing_paisa: withFee.due_paisa };
  t.is(findCause(caseOf({ claims: [withFee], gaps: [more] })).code, 'missed_sms');
  for (const other of [{ recipient: '01911000009' }, { missing_paisa: -50_000 }])
    t.is(findCause(caseOf({ gaps: [{ ...gap, ...other }] })).code, 'not_seen');
});

test('reports a number without a phone; with claims only numbers of their channels count', (t) => {
  const accounts = [
    { channel: 'bep20', number: '0xabc' },
    { channel: 'mfs_a', number: NUMBER },
    { channel: 'mfs_b', number: '01911000002' },
  ] as const;
  t.is(findCause(caseOf({ accounts })).code, 'not_seen');
  t.deepEqual(findCause(caseOf({ accounts, claims: [] })), { code: 'no_phone', number: '01911000002' });
  const hidden = accounts.map((account) => ({ ...account, isHidden: account.number !== NUMBER }));
  t.is(findCause(caseOf({ accounts: hidden, claims: [] })).code, 'nothing_claimed', 'nobody was shown it');
  t.deepEqual(findCause(caseOf({ accounts, phones: [] })), { code: 'no_phone', number: NUMBER });
  const both = [{ ...phone, numbers: [NUMBER, '01911000002'] }];
  t.deepEqual(findCause(caseOf({ accounts, claims: [], phones: both })), { code: 'nothing_claimed' });
});

test('reports a phone with a problem unless a healthy one watches the number', (t) => {
  const problems = [
    { state: 'OFFLINE' },
    { state: 'STALE' },
    { problem: 'SMS cannot be read' },
    { queued: 1 },
  ];
  for (const problem of problems as Partial<PhoneFacts>[]) {
    const failing = { ...phone, ...problem };
    t.deepEqual(findCause(caseOf({ phones: [failing] })), { code: 'phone_problem', phone: failing });
    t.is(findCause(caseOf({ phones: [failing, phone] })).code, 'not_seen');
  }
  const elsewhere = { ...phone, name: 'counter-2', numbers: ['01911000002'] };
  const failing = { ...phone, state: 'OFFLINE' } as const;
  const cause = findCause(caseOf({ phones: [{ ...elsewhere, state: 'OFFLINE' }, failing, elsewhere] }));
  t.deepEqual(cause, { code: 'phone_problem', phone: failing });
  t.is(findCause(caseOf({ phones: [{ ...phone, queued: null }] })).code, 'not_seen');
});

test('a brand without a number to watch has no phone to miss', (t) => {
  t.is(findCause(caseOf({ accounts: [], phones: [{ ...phone, state: 'OFFLINE' }] })).code, 'not_seen');
});

test('where nothing else is known the newest claim was not seen, or nothing was claimed', (t) => {
  const older = { ...claim, reference: 'OLDER00001' };
  t.deepEqual(findCause(caseOf({ claims: [claim, older] })), { code: 'not_seen', claim });
  t.deepEqual(findCause(caseOf({ claims: [] })), { code: 'nothing_claimed' });
});
