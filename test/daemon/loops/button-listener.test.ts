/** Presses of buttons below Telegram messages, as the daemon reads and answers them. */

import type { ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { startButtonListener } from '../../../daemon/loops/button-listener.js';
import {
  addAlertTarget,
  removeAlertTarget,
  updateAlertTarget,
} from '../../../src/actions/alerts/alert-targets.js';
import { listAudit } from '../../../src/actions/audit/list-audit.js';
import { sendToSeller } from '../../../src/actions/claims/send-to-seller.js';
import { rejectReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews, showReview } from '../../../src/actions/reviews/list-reviews.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import { openLog } from '../../../src/base/io/log.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { BOT_TOKEN, openBotApi } from '../../helpers/outside/bot-api.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';
import { runAlerter } from './alert-scene.js';

const who = 'test';

interface Asked {
  readonly text: string;
  readonly approve: string;
  readonly reject: string;
}

/** A shop whose money waits for a person, a chat that is told, and a daemon that listens. */
async function stage(t: ExecutionContext<unknown>, engine: Engine = 'sqlite', approvers?: string) {
  const base = await scene(t, engine);
  const { core, shop, money, clock } = base;
  const bot = await openBotApi(t);
  const { target } = await addAlertTarget(core, {
    target: bot.target,
    choices: { buttons: true, approvers },
    who,
  });
  const lines: string[] = [];
  const listen = (slackMs = 60_000) => {
    const { log } = openLog('debug', { write: (line) => lines.push(line) });
    const listener = startButtonListener(core, log, { pollS: 20, slackMs, lookMs: 20 });
    t.teardown(() => listener.stop());
    return listener;
  };
  runAlerter(t, core, lines);
  /** A payment of 500 taka for which other money came. */
  const ask = async (taka = '900.00'): Promise<{ session: string; review: string } & Asked> => {
    clock.advance(1);
    const session = await shop.order(50_000);
    const { trxId, text } = money(taka);
    await answer(core, shop, session, trxId);
    await shop.receive(text);
    const review = (await listReviews(core, { state: 'OPEN', limit: 9 })).find(
      ({ payment }) => payment === session,
    );
    const id = review?.id ?? '';
    await until(() => bot.by('sendMessage').some(({ text }) => String(text).includes(id)));
    return { session, review: id, ...askedOf(bot, id) };
  };
  const answers = () => bot.by('answerCallbackQuery').map(({ text }) => String(text));
  return { ...base, bot, target, lines, listen, ask, answers };
}

/** By their titles. */
function buttonsOf(message: object | undefined): Readonly<Record<string, string>> {
  const { reply_markup: markup } = message as {
    reply_markup?: { inline_keyboard: { text: string; callback_data: string }[][] };
  };
  const row = markup?.inline_keyboard[0] ?? [];
  return Object.fromEntries(row.map(({ text, callback_data }) => [text, callback_data]));
}

function askedOf(bot: Awaited<ReturnType<typeof openBotApi>>, review: string): Asked {
  const message = bot.by('sendMessage').find(({ text }) => String(text).includes(review));
  const markup = message?.reply_markup as
    | { inline_keyboard: { text: string; callback_data: string }[][] }
    | undefined;
  const [approve, reject] = markup?.inline_keyboard[0] ?? [];
  return {
    text: String(message?.text),
    approve: approve?.callback_data ?? '',
    reject: reject?.callback_data ?? '',
  };
}

test('an id from a forged SMS cannot be approved by a single press, and the message says so', async (t) => {
  const { core, shop, money, clock, bot, listen, answers } = await stage(t);
  const { trxId, text } = money('500.00');
  const forged = { merchant: shop.merchantId, recipient: WALLET, sender: '01799999999', text, who };
  await addSms(core, forged);
  const sessionId = await shop.link(50_000);
  await answer(core, shop, sessionId, trxId);
  clock.advance(120_000);
  await sendToSeller(core, { sessionId, channel: 'mfs_a', text: trxId, note: '' });
  const [review] = await listReviews(core, { state: 'OPEN', limit: 9 });
  const told = () => bot.by('sendMessage').map(({ text }) => String(text));
  await until(() => told().some((one) => one.includes(review?.id ?? '')));
  const asked = askedOf(bot, review?.id ?? '');
  t.regex(asked.text, /^WARNING: Kashbox has not seen this money/m);
  t.regex(asked.text, new RegExp(`^WARNING: An SMS with ${trxId} .* is a forgery`, 'm'));
  listen();
  bot.press({ data: asked.approve });
  await until(() => bot.by('editMessageText').length === 1);
  t.deepEqual(answers(), ['Read the warning first.']);
  t.is((await showPayment(core, sessionId)).status, 'PENDING');
  const edited = bot.by('editMessageText')[0];
  t.regex(String(edited?.text), /Not approved yet[\s\S]*is a forgery/);
  const anyway = buttonsOf(edited);
  t.deepEqual(Object.keys(anyway), ['Approve anyway', 'Reject']);
  bot.press({ data: anyway['Approve anyway'] ?? '' });
  await until(async () => (await showPayment(core, sessionId)).status === 'COMPLETED');
});

for (const engine of engines) {
  test(`on ${engine}, Approve completes the payment like the command, and the message says by whom`, async (t) => {
    const { core, bot, ask, listen, answers } = await stage(t, engine);
    const { session, review, approve, reject, text } = await ask();
    for (const data of [approve, reject])
      t.true(Buffer.byteLength(data) <= 64 && !data.includes(review), data);
    listen();
    bot.press({ data: approve });
    await until(() => bot.by('editMessageText').length === 1);
    t.is((await showPayment(core, session)).status, 'COMPLETED');
    const decided = await showReview(core, review);
    t.like(decided, {
      state: 'APPROVED',
      decided_by: 'telegram:42',
      note: 'by Telegram button, Rahim Uddin',
    });
    const audited = await listAudit(core, { limit: 50, of: review });
    t.deepEqual(
      audited.map(({ who, action }) => `${who} ${action}`),
      ['telegram:42 review.approve'],
    );
    t.deepEqual(answers(), ['Approved.']);
    t.deepEqual(bot.by('editMessageText'), [
      {
        ...{ chat_id: '-1007', message_id: 55 },
        text: `${text.split('\n')[0]}\n\nApproved by telegram:42, 2026-08-21 12:35 (by Telegram button, Rahim Uddin).`,
      },
    ]);
    bot.press({ data: approve });
    bot.press({ data: reject });
    await until(() => answers().length === 3);
    t.deepEqual(answers().slice(1), ['This was approved before.', 'This was approved before.']);
    t.is((await showReview(core, review)).state, 'APPROVED');
  });

  test(`on ${engine}, no button approves money that was reversed after the message, and this is reported`, async (t) => {
    const { core, bot, shop, clock, ask, listen, answers } = await stage(t, engine);
    const { session, review, approve } = await ask();
    const { reference } = await showReview(core, review);
    clock.advance(60_000);
    await shop.receive(
      `Tk 900.00 received from 01900000001 has been reversed. Fee Tk 0.00. Balance Tk 98,231.19. TrxID ${reference} at 21/08/2026 12:36`,
    );
    const told = () => bot.by('sendMessage').filter(({ text }) => String(text).includes(review));
    await until(() => told().length === 2);
    t.regex(String(told()[1]?.text), /^WARNING: A later message contradicts this money/m);
    listen();
    bot.press({ data: approve });
    await until(() => bot.by('editMessageText').length === 1);
    t.deepEqual(answers(), ['The facts have changed. Read them first.']);
    const changed = bot.by('editMessageText')[0];
    t.regex(
      String(changed?.text),
      /The facts have changed:[\s\S]*WARNING: A later message contradicts this money/,
    );
    bot.press({ data: buttonsOf(changed).Approve ?? '' });
    await until(() => bot.by('editMessageText').length === 2);
    t.deepEqual(answers()[1], 'Read the warning first.');
    t.is((await showPayment(core, session)).status, 'PENDING');
    t.is((await showReview(core, review)).state, 'OPEN');
    bot.press({ data: buttonsOf(bot.by('editMessageText')[1]).Reject ?? '' });
    await until(async () => (await showReview(core, review)).state === 'REJECTED');
  });

  test(`on ${engine}, only one of two daemons reads a bot, and the other resumes where it stopped`, async (t) => {
    const { core, bot, ask, listen } = await stage(t, engine);
    const first = await ask();
    const second = await ask();
    const one = listen();
    await until(() => bot.by('getUpdates').length === 1);
    listen();
    bot.press({ data: first.reject });
    await until(() => bot.by('editMessageText').length === 1);
    t.is((await showReview(core, first.review)).state, 'REJECTED');
    await one.stop();
    bot.press({ data: second.approve });
    await until(() => bot.by('editMessageText').length === 2);
    t.is((await showReview(core, second.review)).state, 'APPROVED');
    const offsets = bot.by('getUpdates').map(({ offset }) => Number(offset));
    t.deepEqual(
      offsets,
      offsets.toSorted((a, b) => a - b),
      'nothing is asked for twice',
    );
    t.is(bot.by('answerCallbackQuery').length, 2);
  });
}

test('presses of strangers count for nothing, and are answered', async (t) => {
  const { core, bot, ask, listen, answers, lines } = await stage(t, 'sqlite', '42,43');
  const { review, approve } = await ask();
  listen();
  bot.press({ data: approve, chat: 666 });
  bot.press({ data: approve, user: 44 });
  bot.press({ data: approve.replace(/.$/, (sign) => (sign === 'A' ? 'B' : 'A')) });
  bot.press({ data: approve.replace(/^a/, 'r') });
  bot.press({ data: 'a:msg_1:x' });
  bot.press({ data: '\u0000'.repeat(5_000) });
  await until(() => answers().length === 6);
  t.deepEqual(answers(), [
    'This chat may not decide on payments.',
    'You may not decide on payments in this chat.',
    ...Array.from({ length: 4 }, () => 'This button is not known here.'),
  ]);
  t.is((await showReview(core, review)).state, 'OPEN');
  t.deepEqual(bot.by('editMessageText'), []);
  t.true(lines.some((line) => line.includes('"user":"44"')));
  bot.press({ data: approve, user: 43 });
  await until(async () => (await showReview(core, review)).state === 'APPROVED');
});

test('a refused approval is answered with the command to use, and the other button still works', async (t) => {
  const { core, bot, ask, listen, answers } = await stage(t);
  const { review, session, approve } = await ask();
  await core.store.write((db) =>
    db.query.updateTable('proofs').set({ amount_paisa: 40_000 }).where('amount_paisa', '=', 90_000).execute(),
  );
  listen();
  bot.press({ data: approve });
  await until(() => bot.by('editMessageText').length === 1);
  bot.press({ data: buttonsOf(bot.by('editMessageText')[0]).Approve ?? '' });
  await until(() => bot.by('editMessageText').length === 2);
  const { 'Approve anyway': anyway = '', Reject: rejecting = '' } = buttonsOf(bot.by('editMessageText')[1]);
  bot.press({ data: anyway });
  await until(() => bot.by('sendMessage').some(({ text }) => String(text).startsWith('Not approved')));
  const told = String(bot.by('sendMessage').at(-1)?.text);
  t.regex(
    told,
    /^Not approved: What came under \w+ is 100\.00 BDT less than the amount due\. If that is enough/,
  );
  t.true(told.endsWith(`On the server: kashbox verifications approve ${review} --note WHY`), told);
  t.is((await showReview(core, review)).state, 'OPEN');
  bot.press({ data: anyway });
  await until(() => answers().length === 4);
  t.is(answers()[3], 'This button was pressed before. Use: kashbox verifications list');
  bot.press({ data: rejecting });
  await until(async () => (await showReview(core, review)).state === 'REJECTED');
  t.is((await showPayment(core, session)).status, 'FAILED');
});

test('reports that a review is already decided or that its target was removed', async (t) => {
  const { core, bot, ask, listen, answers, target } = await stage(t);
  const [first, second] = [await ask(), await ask()];
  await rejectReview(core, { id: first.review, note: 'not ours', who: 'cli:owner' });
  listen();
  bot.press({ data: first.approve });
  await until(() => bot.by('editMessageText').length === 1);
  t.regex(
    String(bot.by('editMessageText')[0]?.text),
    /Rejected by cli:owner, 2026-08-21 12:35 \(not ours\)\.$/,
  );
  await removeAlertTarget(core, { target: target.id, who });
  await addAlertTarget(core, { target: bot.target, choices: { buttons: true }, who });
  bot.press({ data: second.approve });
  await until(() => answers().length === 2);
  t.is(answers()[1], 'This message is too old. Use: kashbox verifications list');
  t.is((await showReview(core, second.review)).state, 'OPEN');
});

test('without buttons nothing is polled, and a message carries none', async (t) => {
  const { core, bot, listen, target, shop, money } = await stage(t);
  await updateAlertTarget(core, { target: target.id, choices: { buttons: false }, who });
  listen();
  const session = await shop.order(50_000);
  const { trxId, text } = money('900.00');
  await answer(core, shop, session, trxId);
  await shop.receive(text);
  await until(() => bot.by('sendMessage').length === 1);
  t.false('reply_markup' in (bot.by('sendMessage')[0] ?? {}));
  t.deepEqual(bot.by('getUpdates'), []);
});

const PROBLEM: readonly (readonly [
  name: string,
  expected: RegExp,
  answer: (response: ServerResponse) => void,
])[] = [
  ['rubbish', /answered 200/, (response) => void response.end('<html>no JSON')],
  ['another form', /answered 200/, (response) => void response.end('[1,null]')],
  ['too much', /more than 1048576 bytes/, (response) => void response.end('x'.repeat(2_000_000))],
  [
    'a conflict',
    /"fault":"conflict".*"pause_ms":30000/,
    (response) =>
      void response.writeHead(409).end('{"ok":false,"description":"Conflict: other getUpdates request"}'),
  ],
  [
    'a flood',
    /"fault":"flood".*"pause_ms":77000/,
    (response) => void response.writeHead(429).end('{"ok":false,"parameters":{"retry_after":77}}'),
  ],
  [
    'a revoked token',
    /"fault":"unauthorised".*"pause_ms":300000/,
    (response) =>
      void response.writeHead(401).end(`{"ok":false,"description":"bot${BOT_TOKEN} Unauthorized"}`),
  ],
  ['a closed connection', /connection/, (response) => void response.destroy()],
];

for (const [name, expected, reply] of PROBLEM) {
  test(`${name} is logged without the token, and the bot is left alone for a while`, async (t) => {
    const { bot, listen, lines } = await stage(t);
    bot.instead.push(reply);
    listen();
    await until(() => lines.some((line) => line.includes('"fault"')));
    const log = lines.join('');
    t.regex(log, expected);
    t.false(log.includes(BOT_TOKEN), log);
    t.false(log.includes('AAH'), log);
    t.is(bot.by('getUpdates').length, 1);
  });
}

test('a poll that hangs is ended, and strange updates are passed over', async (t) => {
  const { bot, listen, lines } = await stage(t);
  const strange = [
    null,
    7,
    { update_id: 'x' },
    { update_id: 9, callback_query: { id: 'q', from: {} } },
    { update_id: 8 },
  ];
  bot.instead.push((response) => void response.end(JSON.stringify({ ok: true, result: strange })));
  bot.instead.push(() => {});
  // Of twenty seconds of polling, three.
  listen(-17_000);
  await until(() => lines.some((line) => line.includes('no whole answer in time')));
  t.deepEqual(
    bot.by('getUpdates').map(({ offset }) => offset),
    [0, 10],
  );
});
