/** `kashbox verifications`: what an operator sees, decides and gets as files, with the real program. */
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { type Failed, openCli } from '../helpers/programs/cli.js';
import { openTerminal } from '../helpers/programs/terminal.js';
import { pngOf } from '../helpers/shop/hosted.js';
import { openQueue, QUEUE_BRAND } from '../helpers/shop/queue.js';
import { WALLET } from '../helpers/shop/shop.js';

interface Review {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
  readonly payment: string;
  readonly payment_status: string;
  readonly gateway_reference: string;
  readonly note: string | null;
}

const SLIP = pngOf(4_000);
const PDF = Buffer.from(`%PDF-1.7\n${'a line of a statement\n'.repeat(5_000)}`);
const NOTE = ['--note', 'seen in the app'];

test.serial('open verifications are listed, oldest first, as text, JSON and CSV', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('rates', 'set', '120');
  t.is((await kashbox('verifications', 'list')).stdout, 'Nothing waits for you.\n');
  t.deepEqual((await kashbox('verifications', 'list', '--json')).json(), []);
  const queue = await openQueue(kashbox.home, SLIP);
  const listed = (await kashbox('verifications', 'list', '--json')).json<Review[]>();
  t.deepEqual(
    listed.map((row) => [row.payment, row.reason]),
    [
      [queue.bank, 'bank_transfer'],
      [queue.overpaid, 'overpaid'],
    ],
  );
  t.like(listed[0], { brand: QUEUE_BRAND, due: '500.00', seen_at: null, slip_type: 'image/png' });
  t.like(listed[1], { due: '700.00', seen_amount: '720.00', seen_from: '01900000001', slip_type: null });
  const { stdout } = await kashbox('verifications', 'list');
  for (const line of stdout.split('\n')) t.true([...line].length <= 80, line);
  for (const { id, gateway_reference } of listed) {
    t.regex(stdout, new RegExp(`^${id}  payment ${gateway_reference}  (?:just now|1 m ago)$`, 'm'));
  }
  t.regex(stdout, /Alo Store: Customer owes 500\.00 BDT\n {2}says: paid by bank, FT 26-71; seen: nothing\n/);
  t.regex(stdout, /seen: 720\.00 BDT from 01900000001\n {2}why: paid too much; no slip\n/);
  const [head, ...rows] = (await kashbox('verifications', 'list', '--csv')).stdout.trimEnd().split('\r\n');
  t.regex(head ?? '', /^id,state,reason,created_at,.*,slip_type,/);
  t.is(rows.length, 2);
  const nobody = await kashbox('verifications', 'list', '--brand', 'Nobody', '--json');
  t.is(nobody.code, 3);
});

test.serial('one is shown with its SMS word for word, and with what each answer will do', async (t) => {
  const kashbox = await openCli(t);
  const { sms } = await openQueue(kashbox.home, SLIP);
  const lines = (await kashbox('verifications', 'list', '--ndjson')).stdout;
  const shown = await kashbox.piped(lines, 'verifications', 'show', '-', '--json');
  t.is(shown.code, 0);
  const [bank, overpaid] = shown.json<(Review & { sms: unknown; claim: unknown })[]>();
  t.is(bank?.sms, null);
  t.like(overpaid?.sms, { sender: 'bKash', body: sms });
  t.like(overpaid?.claim, { state: 'REVIEW', reason: 'overpaid' });
  const { stdout } = await kashbox('verifications', 'show', overpaid?.id ?? '');
  t.true(stdout.includes(`SMS from bKash:\n  ${sms}\n`), stdout);
  t.regex(stdout, /It is 20\.00 BDT too much\./);
  t.regex(stdout, /complete the payment with 720\.00 BDT\.\n {2}kashbox verifications approve rev_/);
  t.regex(
    stdout,
    /the payment fails, unless another claim of it is open\.\n {2}kashbox verifications reject rev_/,
  );
});

test.serial('a slip is written for its owner alone, never over another file, or into a pipe', async (t) => {
  const kashbox = await openCli(t);
  await openQueue(kashbox.home, PDF);
  const [bank, overpaid] = (await kashbox('verifications', 'list', '--json')).json<Review[]>();
  const id = bank?.id ?? '';
  const file = join(kashbox.home, 'SLIP.PDF');
  const get = (...args: string[]) => kashbox('verifications', 'show', id, '--slip', ...args);
  const first = await get(file, '--json');
  t.is(first.code, 0);
  t.is(first.json<Review>().id, id);
  t.is(first.stderr, `The slip is in ${file}.\n`);
  t.true(readFileSync(file).equals(PDF));
  t.is(statSync(file).mode & 0o777, 0o600);
  writeFileSync(file, 'mine', { mode: 0o644 });
  const taken = await get(file, '--json');
  t.is(taken.code, 4);
  t.is(taken.json<Failed>().error.code, 'already_exists');
  t.is(readFileSync(file, 'utf8'), 'mine');

  const other = join(kashbox.home, 'other.txt');
  const link = join(kashbox.home, 'link.png');
  writeFileSync(other, 'mine');
  symlinkSync(other, link);
  t.is((await get(link, '--force')).code, 0);
  t.is(readFileSync(other, 'utf8'), 'mine', 'a link is replaced, not followed');
  t.true(readFileSync(link).equals(PDF));

  const odd = join(kashbox.home, 'slip.png');
  t.regex((await get(odd)).stderr, /it is a \.pdf file/);
  const folder = join(kashbox.home, 'slips');
  mkdirSync(folder);
  const inFolder = await get(folder, '--json');
  t.is(inFolder.code, 2);
  t.true(inFolder.json<Failed>().error.hint.includes(`${folder}/slip-${id}.pdf`));
  t.is((await get(join(kashbox.home, 'none', 'slip.png'))).code, 2);

  const piped = await kashbox('verifications', 'show', id, '--slip', '-');
  t.is(piped.code, 0);
  t.is(piped.stdout, PDF.toString('ascii'));
  t.is(piped.stderr, '');
  t.is((await kashbox('verifications', 'show', overpaid?.id ?? '', '--slip', '-')).code, 3);
  t.is((await kashbox('verifications', 'show', id, id, '--slip', file)).code, 2);
  t.is((await kashbox('verifications', 'show', id, '--force')).code, 2);
});

test.serial('an approval completes the payment, says so, and works once', async (t) => {
  const kashbox = await openCli(t);
  const { bank } = await openQueue(kashbox.home, SLIP);
  const [first] = (await kashbox('verifications', 'list', '--json')).json<Review[]>();
  const id = first?.id ?? '';
  const approve = (...args: string[]) => kashbox('verifications', 'approve', id, ...args);
  const noteless = await approve('--json');
  t.is(noteless.code, 2);
  t.is(noteless.json<Failed>().error.message, 'Missing flag --note');
  t.is((await approve('--note', ' ')).code, 2);
  const done = await approve(...NOTE, '--reference', 'ft 26-71/x');
  t.is(done.code, 0);
  t.regex(done.stdout, /^Approved: payment [A-Z0-9]{12} of Customer is COMPLETED\.\n/);
  const again = await approve(...NOTE, '--json');
  t.is(again.code, 4);
  t.is(again.json<Failed>().error.code, 'state_refused');
  const payment = (await kashbox('payments', 'show', bank, '--json')).json<Record<string, unknown>>();
  t.like(payment, {
    status: 'COMPLETED',
    channel: 'bank',
    transaction_id: 'FT 26-71/X',
    paid: '500.00',
    fee: '0.00',
  });
  t.like(payment.reviews, [{ id, state: 'APPROVED', reason: 'bank_transfer' }]);
  const decided = (await kashbox('verifications', 'list', '--status', 'APPROVED', '--json')).json<Review[]>();
  t.like(decided, [{ id, note: 'seen in the app', payment_status: 'COMPLETED' }]);
  t.is((await kashbox('verifications', 'list', '--all', '--json')).json<Review[]>().length, 2);
  t.is((await kashbox('verifications', 'list', '--all', '--status', 'OPEN')).code, 2);
  t.is((await kashbox('verifications', 'approve', 'rev_none', ...NOTE)).code, 3);
});

test.serial('the number of a payment selects its only open verification', async (t) => {
  const kashbox = await openCli(t);
  const queue = await openQueue(kashbox.home, PDF);
  const [bank, overpaid] = (await kashbox('verifications', 'list', '--json')).json<Review[]>();
  const number = bank?.gateway_reference ?? '';
  for (const named of [number, ` ${number.toLowerCase()}`, queue.bank, queue.bank.toUpperCase()]) {
    t.is((await kashbox('verifications', 'show', named, '--json')).json<Review>().id, bank?.id ?? '');
  }
  t.is((await kashbox('verifications', 'show', number, '--slip', '-')).stdout, PDF.toString('ascii'));
  const approved = await kashbox('verifications', 'approve', number.toLowerCase(), ...NOTE, '--json');
  t.like(approved.json(), { id: bank?.id, state: 'APPROVED' });
  const rejected = await kashbox('verifications', 'reject', queue.overpaid, ...NOTE, '--json');
  t.like(rejected.json(), { id: overpaid?.id, state: 'REJECTED' });
  for (const verb of ['show', 'approve', 'reject']) {
    const closed = await kashbox('verifications', verb, number, ...(verb === 'show' ? [] : NOTE), '--json');
    t.is(closed.code, 3);
    t.is(closed.json<Failed>().error.message, `There is no verification "${number}"`);
  }
});

test.serial('money that an operator has found completes a payment that has no open review', async (t) => {
  const kashbox = await openCli(t);
  const queue = await openQueue(kashbox.home, SLIP);
  const sale = ['payments', 'create', '--brand', QUEUE_BRAND, '--amount', '500', '--name', 'C', '--json'];
  const { gateway_reference: number } = (await kashbox(...sale)).json<Review>();
  const asked = await kashbox('verifications', 'approve', number, ...NOTE, '--json');
  t.is(asked.code, 3);
  t.regex(asked.json<Failed>().error.hint ?? '', /approve PAYMENT --channel METHOD --reference REFERENCE/);
  const unnamed = await kashbox('verifications', 'approve', number, '--channel', 'mfs_a', ...NOTE, '--json');
  t.is(unnamed.code, 2);
  const found = ['--channel', 'mfs_a', '--reference', 'dkm1000077', ...NOTE];
  const approved = await kashbox('verifications', 'approve', number, ...found);
  t.is(approved.code, 0, approved.stderr);
  t.regex(approved.stdout, new RegExp(`${number}`));
  const [row] = (await kashbox('payments', 'show', number, '--ndjson')).ndjson<Record<string, unknown>>();
  t.like(row, { status: 'COMPLETED', transaction_id: 'DKM1000077', channel: 'mfs_a' });
  const other = await kashbox('verifications', 'approve', queue.overpaid, ...found, '--json');
  t.is(other.code, 4);
  t.is(other.json<Failed>().error.code, 'already_credited');
});

test.serial('lists the ids if a payment has several open verifications', async (t) => {
  const kashbox = await openCli(t);
  const { bank } = await openQueue(kashbox.home, SLIP);
  const [first, other] = (await kashbox('verifications', 'list', '--json')).json<Review[]>();
  const { openCore } = await import('../../src/actions/core/core.js');
  const core = await openCore({ folder: kashbox.home, env: {} });
  await core.store.write((db) => db.query.updateTable('reviews').set({ session_id: bank }).execute());
  await core.close();
  const refused = await kashbox(
    'verifications',
    'approve',
    first?.gateway_reference ?? '',
    ...NOTE,
    '--json',
  );
  t.is(refused.code, 2);
  const { code, message } = refused.json<Failed>().error;
  t.is(code, 'invalid_input');
  t.is(message, `Payment ${first?.gateway_reference} has several verifications: ${first?.id}, ${other?.id}`);
  const named = await kashbox('verifications', 'reject', other?.id ?? '', ...NOTE);
  t.is(named.code, 0);
});

test.serial('a list is piped into a decision; what was decided before fails by itself', async (t) => {
  const kashbox = await openCli(t);
  await openQueue(kashbox.home, SLIP);
  const lines = (await kashbox('verifications', 'list', '--ndjson')).stdout;
  const [first, second] = lines.trimEnd().split('\n');
  const { id } = JSON.parse(first ?? '') as Review;
  const rejected = await kashbox('verifications', 'reject', id, '--note', 'no such transfer');
  t.is(rejected.code, 0);
  t.regex(rejected.stdout, /^Rejected\. Payment [A-Z0-9]{12} of Customer is FAILED/);
  const ran = await kashbox.piped(lines, 'verifications', 'approve', '-', ...NOTE, '--json');
  t.is(ran.code, 4);
  const [refused, approved, ...others] = ran.json<(Review & Partial<Failed>)[]>();
  t.like(refused, { id, error: { code: 'state_refused' } });
  t.like(approved, { state: 'APPROVED', payment_status: 'COMPLETED', reason: 'overpaid' });
  t.is(approved?.id, (JSON.parse(second ?? '') as Review).id);
  t.deepEqual(others, []);
  const both = await kashbox.piped(lines, 'verifications', 'approve', '-', ...NOTE, '--reference', 'X');
  t.is(both.code, 2);
});

test.serial('text sent by a customer cannot move the cursor', async (t) => {
  const kashbox = await openCli(t);
  const { bank } = await openQueue(kashbox.home, SLIP);
  const { openCore } = await import('../../src/actions/core/core.js');
  const core = await openCore({ folder: kashbox.home, env: {} });
  const evil = 'A\u001b[2J\u202eB';
  await core.store.write((db) => db.query.updateTable('sessions').set({ cus_name: evil }).execute());
  await core.close();
  const [first] = (await kashbox('verifications', 'list', '--json')).json<Review[]>();
  for (const args of [
    ['verifications', 'list'],
    ['verifications', 'show', first?.id ?? ''],
    ['payments', 'show', bank],
    ['verifications', 'reject', first?.id ?? '', '--note', 'no'],
  ]) {
    const { stdout } = await kashbox(...args);
    t.false(stdout.includes('\u001b') || stdout.includes('\u202e'), args.join(' '));
    t.true(stdout.includes('A\ufffd[2J\ufffdB'), stdout);
  }
});

test.serial('in a terminal a warning is shown before it is asked, and “n” changes nothing', async (t) => {
  const kashbox = await openCli(t);
  const { bank, overpaid, sms } = await openQueue(kashbox.home, SLIP);
  const [, id = '', at = ''] = /TrxID (\w+) at (.+)$/.exec(sms) ?? [];
  const reversal = `Tk 720.00 received from 01900000001 has been reversed. Fee Tk 0.00. Balance Tk 0.00. TrxID ${id} at ${at}`;
  const phone = ['--merchant', QUEUE_BRAND, '--recipient', WALLET];
  const take = (sender: string, text: string) =>
    kashbox('sms', 'add', ...phone, '--sender', sender, '--text', text);
  t.is((await take('bKash', reversal)).code, 0);
  t.is((await take('01799999999', sms.replaceAll(id, 'DKM1000077'))).code, 0);
  const answer = async (key: string, code: number, ...args: readonly string[]) => {
    const env = { TERM: 'xterm', LANG: 'C.UTF-8', KASHBOX_HOME: kashbox.home };
    const words = ['verifications', 'approve', ...args, '--note', 'seen'];
    const terminal = await openTerminal(t, { columns: 200, rows: 24, args: words, env });
    const asked = await terminal.shows(/Approve it all the same\? \(y\/N\)/);
    await terminal.press(key, 'Enter');
    return [asked, await terminal.shows(new RegExp(`ended with ${code}`))] as const;
  };
  const found = [bank, '--channel', 'mfs_a', '--reference', 'DKM1000077'];
  const rows = async () => (await kashbox('payments', 'list', '--status', 'COMPLETED', '--json')).json();
  const audit = async () => (await kashbox('audit', 'list', '--json')).stdout;
  const before = await audit();
  const [reversed, no] = await answer('n', 2, overpaid);
  t.regex(
    reversed,
    /Seen: 720\.00 BDT[\s\S]*WARNING: .*contradicts this money[\s\S]*Approve it all the same\?/,
  );
  t.regex(no, /You said no; nothing was changed/);
  const [forged] = await answer('n', 2, ...found);
  t.regex(forged, /DKM1000077[\s\S]*is a forgery[\s\S]*Approve it all the same\?/);
  t.deepEqual([await rows(), await audit()], [[], before]);
  await answer('y', 0, overpaid);
  t.is(
    (await kashbox('payments', 'show', overpaid, '--json')).json<{ status: string }>().status,
    'COMPLETED',
  );
});
