/** The books in sentences: whole, explained, unknown or missing, each with what to type next. */
import test from 'ava';
import type { BalanceRow } from '../../../src/actions/reports/report-balances.js';
import { booksLines, dayVerdict } from '../../../src/cli/text/report-text.js';

const DATE = '2026-08-21';

const row = (change: Partial<BalanceRow> = {}): BalanceRow => ({
  date: DATE,
  merchant: 'Alo',
  channel: 'mfs_a',
  recipient: '01711000001',
  texts: 2,
  begin: '0.00',
  in: '100.50',
  out: '20.00',
  fee: '5.00',
  end: '75.50',
  difference: '0.00',
  credited: '100.50',
  ...{ parts: '0.00', unclaimed: '0.00', returned: '0.00', own: '0.00', other: '0.00', refunded: '0.00' },
  state: 'whole',
  last_text_at: `${DATE}T12:00:00+06:00`,
  reasons: [],
  transfers: [],
  ...change,
});

const reason = (difference: string, cause: BalanceRow['reasons'][number]['cause'], gap: string | null) => ({
  difference,
  from: `${DATE}T12:31:00+06:00`,
  until: `${DATE}T12:45:00+06:00`,
  cause,
  gap,
});

test('a whole day is one line with its sums, and money of nobody is another', (t) => {
  t.deepEqual(dayVerdict(DATE, [row(), row({ channel: 'mfs_b', in: '0.50' })]), [
    'Wallets on 2026-08-21: the balances match: 101.00 in, 40.00 out, 10.00 fees.',
  ]);
  t.deepEqual(dayVerdict(DATE, [row({ unclaimed: '30.00' })]).slice(1), [
    '30.00 BDT came in and belongs to no payment.',
    '  See: kashbox sms list --unmatched --since 2026-08-21',
  ]);
  t.deepEqual(dayVerdict(DATE, []), [
    'Wallets on 2026-08-21: no SMS of a wallet arrived, so nothing can be compared.',
  ]);
});

test('a wallet without a balance is not called complete, and an explained difference is listed', (t) => {
  const unknown = row({ state: 'unknown', channel: 'mfs_d', begin: null, end: null });
  const nothing = 'No SMS contains a balance of Upay 01711000001, so nothing can be compared.';
  t.deepEqual(dayVerdict(DATE, [unknown]), [nothing]);
  t.deepEqual(booksLines([unknown]), [nothing]);
  t.is(dayVerdict(DATE, [row(), unknown]).length, 2);
  const explained = row({ state: 'explained', reasons: [reason('-5.00', 'closed', 'gap_1')] });
  t.deepEqual(booksLines([row(), explained]), [
    'The balances match.',
    'You have explained the differences (bKash 01711000001): kashbox gaps list',
  ]);
});

test('a gap is reported with amount, wallet, period and next command', (t) => {
  const reasons = [reason('200.00', 'sms_missing', 'gap_1')];
  t.deepEqual(dayVerdict(DATE, [row(), row({ state: 'missing', reasons })]), [
    'Wallets on 2026-08-21: the balances do NOT match (bKash 01711000001).',
    '  See: kashbox report balances --since 2026-08-21',
  ]);
  t.deepEqual(booksLines([row({ state: 'missing', reasons })]), [
    'The balances do NOT match: 1 of 1 days of wallets do not add up.',
    '2026-08-21, bKash 01711000001: 200.00 BDT more came in than its SMS say,',
    '  between 2026-08-21 12:31 and 2026-08-21 12:45: an SMS is missing.',
    '  See: kashbox gaps list --open',
  ]);
  const old = booksLines([row({ state: 'missing', reasons: [reason('-7.00', 'sms_missing', null)] })]);
  t.true(old[1]?.includes('7.00 BDT more went out'));
  t.regex(old[3] ?? '', /statement.*kashbox sms add/);
  const unclear = booksLines([row({ state: 'missing', reasons: [reason('7.00', 'text_unclear', null)] })]);
  t.regex(unclear[2] ?? '', /one of them is not clear/);
  t.is(unclear[3], '  See: kashbox sms list --since 2026-08-21');
});

test('of many days that do not add up, only the last five are listed', (t) => {
  const rows = Array.from({ length: 9 }, () =>
    row({ state: 'missing', reasons: [reason('1.00', 'sms_missing', 'gap_1')] }),
  );
  const lines = booksLines(rows);
  t.deepEqual(lines.slice(0, 2), [
    'The balances do NOT match: 9 of 9 days of wallets do not add up.',
    'The last 5 of them:',
  ]);
  t.is(lines.length, 2 + 5 * 3);
});

test('refunds that were sent are listed, and transfers that belong to none, with what to type next', (t) => {
  const sent = { amount: '20.00', payee: '01711000081', closed_as: null, refund: null };
  const transfers = [
    { ...sent, reference: 'DHL1', refund: 'rfd_1' },
    { ...sent, reference: 'DHL2' },
    { ...sent, reference: 'DHL3', closed_as: 'own' as const },
  ];
  const lines = [
    '20.00 BDT went out as refunds:',
    `  ${DATE}: 20.00 BDT to 01711000081 (DHL1), refund rfd_1`,
    '1 transfer went out without a refund:',
    `  ${DATE}: 20.00 BDT to 01711000081 (DHL2)`,
    '  See: kashbox refunds list --sent',
  ];
  const rows = [row({ refunded: '20.00', transfers })];
  t.deepEqual(booksLines(rows).slice(1), lines);
  t.deepEqual(dayVerdict(DATE, rows).slice(1), lines);
});
