import type { ExecutionContext } from 'ava';
import { startButtonListener } from '../../../daemon/loops/button-listener.js';
import { addAlertTarget } from '../../../src/actions/alerts/alert-targets.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { openLog } from '../../../src/base/io/log.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBotApi } from '../../helpers/outside/bot-api.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { until } from '../../helpers/until.js';
import { runAlerter } from './alert-scene.js';

export const who = 'test';

interface Asked {
  readonly text: string;
  readonly approve: string;
  readonly reject: string;
}

/** A shop whose money waits for a person, a chat that is told, and a daemon that listens. */
export async function stage(t: ExecutionContext<unknown>, engine: Engine = 'sqlite', approvers?: string) {
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
export function buttonsOf(message: object | undefined): Readonly<Record<string, string>> {
  const { reply_markup: markup } = message as {
    reply_markup?: { inline_keyboard: { text: string; callback_data: string }[][] };
  };
  const row = markup?.inline_keyboard[0] ?? [];
  return Object.fromEntries(row.map(({ text, callback_data }) => [text, callback_data]));
}

export function askedOf(bot: Awaited<ReturnType<typeof openBotApi>>, review: string): Asked {
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
