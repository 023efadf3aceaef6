/** What the dashboard asks before it acts, and what each key makes of the question. */
import test from 'ava';
import type { ReviewView } from '../../src/actions/reviews/list-reviews.js';
import type { BoardAlert, DashboardData } from '../../src/actions/upkeep/load-dashboard.js';
import type { FactsOfReview } from '../../src/actions/why/review-facts.js';
import { textWidth } from '../../src/base/values/cells.js';
import {
  type Dialog,
  type DialogSubject,
  formatDialog,
  type Key,
  MAX_TYPED,
  openDialog,
  pressAsk,
  toAct,
  withFacts,
} from '../../src/monitor/dialog.js';
import { layoutLine, lineText } from '../../src/monitor/frame.js';
import type { Panel, PanelRow } from '../../src/monitor/panel.js';
import { FIRST_VIEW, pressKey, type View, withOutcome } from '../../src/monitor/view.js';

const FACTS = '0123456789ab';
const review: ReviewView & Pick<FactsOfReview, 'facts' | 'facts_version'> = {
  ...{ facts: [], facts_version: FACTS },
  ...{ id: 'rev_1', state: 'OPEN', reason: 'overpaid', payment: 'p', gateway_reference: 'K7Q2M9XW4TZB' },
  ...{ payment_status: 'PENDING', payment_reason: 'review', brand: 'Eid', cus_name: 'Rahim' },
  ...{ amount: '500.00', fee: '0.00', due: '500.00', due_usdt: null, channel: 'mfs_a' },
  ...{ reference: 'DKM4ABC123', seen_at: '2026-08-21T12:35:00+06:00', seen_amount: '510.00' },
  ...{
    seen_usdt: null,
    seen_from: '01900000001',
    seen_on: '01711000001',
    customer_note: null,
    slip: null,
    slip_type: null,
  },
  ...{ slip_bytes: null, slip_sha256: null, created_at: '2026-08-21T12:35:00+06:00', decided_at: null },
  ...{ decided_by: null, note: null, test: false, doubts: [] },
};

const notification: DashboardData['notifications']['failing'][number] = {
  ...{ id: 'ntf_1', event: 'payment.completed', endpoint: 'https://shop.example.com', state: 'FAILED' },
  ...{ tries: 9, next_at: null, created_at: '2026-08-21T12:35:00+06:00', brand: 'Eid' },
};

const alert: BoardAlert = {
  ...{ id: 'alr_1', kind: 'sms.gap', device_id: null, device: null, ended_at: null },
  ...{
    at: '2026-08-21T12:35:00+06:00',
    message: 'There is no SMS about 103.00 BDT.',
    detail: { battery: 1 },
  },
  gaps: [{ id: 'gap_1', missing: '-103.00' }],
};

const approve = (change: Partial<ReviewView> = {}): DialogSubject => ({
  act: 'approve',
  review: { ...review, ...change },
});

function ask(subject: DialogSubject): Dialog {
  const made = openDialog(subject);
  if (typeof made === 'string') throw new Error(made);
  return made;
}

const keyOf = (key: string | Key): Key =>
  typeof key === 'string' ? { name: key, text: [...key].length === 1 ? key : '' } : key;

/** What the last of these keys makes of it. */
function press(from: Dialog, ...keys: readonly (string | Key)[]) {
  let step = pressAsk(from, { name: 'nothing', text: '' });
  for (const key of keys) {
    if (step.kind !== 'stay') throw new Error(`it has ended before ${JSON.stringify(key)}`);
    step = pressAsk(step.ask, keyOf(key));
  }
  return step;
}

const askIn = (step: ReturnType<typeof pressAsk>): Dialog => {
  if (step.kind === 'leave') throw new Error('it has ended');
  return step.ask;
};

test('the question names payment, customer, amount, reference and what will happen', (t) => {
  const text = (subject: DialogSubject) => ask(subject).question.join(' ');
  const question = text(approve());
  for (const word of ['K7Q2M9XW4TZB', 'Rahim', 'BDT 510.00', 'BDT 500.00', 'DKM4ABC123', 'COMPLETED']) {
    t.true(question.includes(word), word);
  }
  t.regex(text(approve({ payment_status: 'FAILED' })), /failed before: inform the shop/);
  t.regex(
    text(approve({ seen_at: null, seen_amount: null })),
    /has not seen this money: only your approval confirms it/,
  );
  t.regex(text(approve({ seen_amount: null })), /nobody can read/);
  t.regex(text(approve({ seen_amount: null, seen_usdt: '4.1' })), /4\.1 USDT/);
  const doubted = text(approve({ doubts: ['id_range'], seen_on: '01711000077' }));
  t.regex(doubted, /\(bKash\) to 01711000077; .*The SMS is suspicious: This wallet does not give out/);
  const named_in = { sms: 'sms_1', sender: '01799999999', kind: 'spoofed', received_at: review.created_at };
  const unseen = { ...review, seen_at: null, seen_amount: null, named_in };
  t.regex(
    text({ act: 'approve', review: unseen }),
    /at 2026-08-21 12:35 from 01799999999 and is a forgery: .* kashbox sms show sms_1 .*only your approval confirms it/,
  );
  const disputed = { payment_status: 'COMPLETED', reason: 'disputed' } as const;
  t.regex(text(approve(disputed)), /stays COMPLETED, whatever you decide/);
  const reject = (change: Partial<ReviewView>) => text({ act: 'reject', review: { ...review, ...change } });
  t.regex(reject({}), /Reject payment K7Q2M9XW4TZB.*The payment fails/);
  t.regex(reject({ payment_status: 'FAILED' }), /stays FAILED/);
  t.regex(text({ act: 'replay', notification }), /payment\.completed of Eid again\?.*9 times.*shop\.example/);
  t.regex(text({ act: 'replay', notification: { ...notification, tries: 1 } }), /tried once/);
  t.regex(text({ act: 'close_gap', alert }), /Close this gap\?.*103\.00/);
  const gaps = [...alert.gaps, { id: 'gap_2', missing: '20.00' }];
  t.regex(text({ act: 'close_gap', alert: { ...alert, gaps } }), /2 gaps .*: -103\.00, \+20\.00 BDT/);
});

test('a review that cannot be approved is refused at once, without a question', (t) => {
  const said = openDialog(approve({ payment_status: 'COMPLETED' }));
  t.regex(String(said), /already completed by other money.*press x/);
});

test('a note is typed and corrected, Bangla too, and only Enter and then y do it', (t) => {
  const typed = press(ask(approve()), 'আ', 'ল', 'x', 'backspace', 'ো', 'enter');
  t.deepEqual(
    askIn(typed).fields.map(({ text }) => text),
    ['আলো'],
  );
  t.is(press(askIn(typed), 'z').kind, 'stay');
  const done = press(askIn(typed), 'y');
  t.is(done.kind, 'act');
  t.deepEqual(toAct(askIn(done)), {
    ...{ kind: 'approve', id: 'rev_1', note: 'আলো', reference: undefined, acceptLess: false },
    facts: FACTS,
  });
  t.is(press(askIn(typed), 'backspace', 'C-u').kind, 'stay');
  t.is(askIn(press(askIn(typed), 'backspace', 'C-u')).fields[0]?.text, '');
  for (const leave of ['escape', 'n']) t.is(press(askIn(typed), leave).kind, 'leave');
  t.is(press(ask(approve()), 'a', 'escape').kind, 'leave');
});

test('an empty note is refused, and a note has a maximum length', (t) => {
  const empty = askIn(press(ask(approve()), ' ', 'enter'));
  t.is(empty.at, 0);
  t.regex(JSON.stringify(empty.state), /A note is needed/);
  const keys = Array.from({ length: MAX_TYPED + 5 }, () => 'ক');
  t.is([...(askIn(press(ask(approve()), ...keys)).fields[0]?.text ?? '')].length, MAX_TYPED);
});

test('a pasted text confirms nothing: its line breaks become blanks, and its y is text', (t) => {
  const pasted = (name: string, text = ''): Key => ({ name, text, isPasted: true });
  const note = press(ask(approve()), 'o', pasted('k', 'k'), pasted('enter'), pasted('y', 'y'));
  t.is(askIn(note).fields[0]?.text, 'ok y');
  const confirming = askIn(press(askIn(note), 'enter'));
  t.is(press(confirming, pasted('y', 'y')).kind, 'stay');
  t.is(press(confirming, 'y').kind, 'act');
});

test('while it is being done no key counts, and what is refused keeps what was typed', (t) => {
  const running = askIn(press(ask(approve()), 'o', 'k', 'enter', 'y'));
  for (const key of ['y', 'escape', 'x', 'enter']) t.is(press(running, key).kind, 'stay');
  const view: View = { ...FIRST_VIEW, mode: { kind: 'ask', ask: running, behind: { kind: 'board' } } };
  const refused = withOutcome(view, { kind: 'refused', says: 'It was already approved.' });
  if (refused.mode.kind !== 'ask') return t.fail('it still asks');
  t.is(refused.mode.ask.fields[0]?.text, 'ok');
  t.is(press(refused.mode.ask, 'y').kind, 'act');
  t.is(askIn(press(refused.mode.ask, 'backspace', 'x')).fields[0]?.text, 'okx');
  const done = withOutcome(view, { kind: 'done', says: 'Approved.' });
  t.deepEqual([done.mode.kind, done.notice?.text], ['board', 'Approved.']);
  t.is(withOutcome(FIRST_VIEW, { kind: 'done', says: 'late' }), FIRST_VIEW);
});

test('less than is due is named and accepted; of a push that is not known yet a key of its own accepts it', (t) => {
  const less = ask(approve({ seen_amount: '490.00' }));
  t.true(less.question.some((line) => line.includes('BDT 10.00 less')));
  t.like(toAct(askIn(press(less, 'o', 'enter', 'y'))), { acceptLess: true });

  const push = ask(approve({ channel: 'qr_interbank', seen_at: null, seen_amount: null }));
  t.deepEqual(
    push.fields.map(({ name }) => name),
    ['reference', 'note'],
  );
  t.regex(JSON.stringify(askIn(press(push, 'enter')).state), /reference is needed/);
  const named = askIn(press(push, '6', '3', 'enter', 'o', 'enter'));
  t.like(toAct(askIn(press(named, 'y'))), { reference: '63', acceptLess: false });
  t.like(toAct(askIn(press(named, 'l'))), { reference: '63', acceptLess: true });
  t.is(press(less, 'o', 'enter', 'l').kind, 'stay');
});

test('a bank transfer keeps the reference of the customer, unless another one is typed', (t) => {
  const bank = ask(approve({ channel: 'bank', reference: 'FT26082171', seen_at: null, seen_amount: null }));
  t.is(bank.fields[0]?.text, 'FT26082171');
  t.like(toAct(askIn(press(bank, 'enter', 'o', 'enter', 'y'))), { reference: undefined });
  t.like(toAct(askIn(press(bank, 'backspace', '9', 'enter', 'o', 'enter', 'y'))), {
    reference: 'FT26082179',
  });
  t.is(askIn(press(bank, 'enter', 'backspace')).at, 0);
});

test('a review is confirmed only after its facts are shown, and text typed until then is kept', (t) => {
  const { facts: _facts, facts_version: _version, ...listed } = review;
  const typed = askIn(press(ask({ act: 'approve', review: listed }), 'o', 'k', 'enter', 'y'));
  t.is(typed.state.kind, 'asking');
  t.true(formatDialog(typed, 60).some((line) => lineText(layoutLine(line)).includes('Reading the facts')));
  const text = 'A later message contradicts this money.';
  const shown = withFacts(typed, { ...review, facts: [{ code: 'reversed', level: 'warning', text }] });
  if (typeof shown === 'string') return t.fail(shown);
  t.true(shown.question.includes(`WARNING: ${text}`));
  t.like(toAct(askIn(press(shown, 'y'))), { note: 'ok', facts: FACTS });
  t.is(withFacts(typed, { ...review, state: 'REJECTED' }), 'It was already rejected.');
});

test('an action without a note needs confirmation too', (t) => {
  const replay = ask({ act: 'replay', notification });
  t.is(press(replay, 'enter').kind, 'stay');
  t.deepEqual(toAct(askIn(press(replay, 'y'))), { kind: 'replay', id: 'ntf_1' });
  t.deepEqual(toAct(askIn(press(ask({ act: 'close_gap', alert }), 's', 'enter', 'y'))), {
    ...{ kind: 'close_gap', ids: ['gap_1'], note: 's' },
  });
  t.deepEqual(toAct(askIn(press(ask({ act: 'reject', review }), 's', 'enter', 'y'))), {
    ...{ kind: 'reject', id: 'rev_1', note: 's', facts: FACTS },
  });
});

test('keys act only on rows that offer them, on the board and on what is open, and Ctrl-C ends', (t) => {
  const row: PanelRow = {
    key: 'rev_1',
    cells: [],
    thing: review,
    offers: [{ key: 'a', does: 'approve', subject: approve() }],
  };
  const panel: Panel = {
    ...{ id: 'reviews', title: 'Reviews', summary: [], sparks: [], columns: [], empty: '' },
    rows: [row, { ...row, key: 'rev_2', offers: [] }],
  };
  const around = { panels: [panel], page: 3, lines: 0 };
  const view: View = { ...FIRST_VIEW, panel: 'reviews' };
  const after = (from: View, ...keys: string[]) =>
    keys.reduce(
      (last, key) => pressKey(last.view, keyOf(key), around),
      pressKey(from, keyOf('home'), around),
    );
  t.is(after(view, 'a').view.mode.kind, 'ask');
  t.is(after(view, 'x').view.mode.kind, 'board');
  t.is(after(view, 'down', 'a').view.mode.kind, 'board');
  const open = after(view, 'enter', 'a').view;
  t.like(open.mode, { kind: 'ask', behind: { kind: 'details', key: 'rev_1' } });
  t.is(after(view, 'enter', 'a', 'escape').view.mode.kind, 'details');
  t.is(after(view, 'a', 'o', 'enter', 'y').effect, 'act');
  t.is(after(view, 'a', 'o', 'enter', 'y', 'y').effect, 'none');
  t.is(after(view, 'a', 'q').effect, 'none');
  t.is(after(view, 'a', 'C-c').effect, 'end');
});

test('a question fits every window, what is typed last is seen, and strangers write no commands', (t) => {
  const evil = ask(approve({ cus_name: 'R\u001b[2Jahim' }));
  const typed = askIn(press(evil, ...'কারণ: it is a long note, longer than a narrow window is wide'));
  for (const width of [80, 40, 20, 5, 1]) {
    for (const one of [typed, askIn(press(typed, 'enter')), askIn(press(typed, 'enter', 'y'))]) {
      const lines = formatDialog(one, width).map((pieces) => lineText(layoutLine(pieces)));
      t.true(lines.every((line) => textWidth(line) === width));
      t.notRegex(lines.join(''), /\p{Cc}/u);
    }
  }
  t.regex(lineText(layoutLine(formatDialog(typed, 40).at(-1) ?? [])), /is wide_/);
});
