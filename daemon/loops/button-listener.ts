/**
 * Receives button presses of Telegram bots by long polling. Keeps no state: the store records which process
 * polls a bot, and up to which update, so that only one of several daemons does.
 */
import type { Core } from '../../src/actions/core/core.js';
import {
  type ButtonBot,
  buttonBots,
  type PressResult,
  pressButton,
  releaseBots,
  saveUpdateOffset,
  takeBot,
} from '../../src/actions/telegram/press-button.js';
import type { Log } from '../../src/base/io/log.js';
import { type Press, parseUpdates, telegramText, toReplyMarkup } from '../../src/domain/alerts/telegram.js';
import type { BotAnswer, BotCall, BotFault } from '../../src/notify/telegram.js';
import { createLoop, type Loop } from './loop.js';
import { logFailure } from './store-watch.js';

/** Interval between look-ups of the targets, in ms: a new bot is polled after that time. */
const LOOK_MS = 5_000;
/** Timeout of a long poll, in seconds. */
const POLL_S = 25;
/** Beyond that the call is ended. */
const SLACK_MS = 10_000;
/** A process that was killed has a bot for that long: longer than one poll and what follows from it. */
const LEASE_MS = 90_000;
const CALL_MS = 10_000;
/** Interval between an empty answer and the next poll, in ms. */
const EMPTY_MS = 500;
/** Maximum number of presses in one answer. */
const BATCH = 50;

/** Pause after a failure of a bot, in ms. */
const PAUSES_MS: Readonly<Record<BotFault, number>> = {
  unauthorised: 300_000,
  conflict: 30_000,
  flood: 30_000,
  failed: 15_000,
};
const MAX_PAUSE_MS = 600_000;

interface ListenerOptions {
  /** Timeout of a long poll, in seconds; default: 25. */
  readonly pollS?: number;
  /** Additional time after which a poll that hangs is aborted, in ms; default: 10,000. */
  readonly slackMs?: number;
  /** Interval between look-ups of the targets, in ms; default: 5,000. */
  readonly lookMs?: number;
}

export function startButtonListener(core: Core, log: Log, options: ListenerOptions = {}): Pick<Loop, 'stop'> {
  const listener = new ButtonListener(core, log, options);
  return { stop: () => listener.stop() };
}

class ButtonListener {
  private readonly holder: string;
  private readonly ending = new AbortController();
  /** Polls in progress, by bot. */
  private readonly underWay = new Map<string, Promise<void>>();
  /** Earliest time of the next poll, by bot, in ms on the monotonic clock. */
  private readonly restUntil = new Map<string, number>();
  private hasRead = false;
  private readonly loop: Loop;

  constructor(
    private readonly core: Core,
    private readonly log: Log,
    private readonly options: ListenerOptions,
  ) {
    const { lookMs = LOOK_MS } = options;
    this.holder = Buffer.from(core.random(16)).toString('hex');
    const failed = (error: unknown) =>
      logFailure(core, log, { err: error }, 'bots with buttons could not be looked up');
    this.loop = createLoop({ run: () => this.look(), pauseMs: lookMs, failed });
    this.loop.start(0);
  }

  /** Ends polls under way; presses that are being decided are decided. */
  async stop(): Promise<void> {
    await this.loop.stop();
    this.ending.abort();
    await Promise.all(this.underWay.values());
    if (!this.hasRead) return;
    await releaseBots(this.core, this.holder).catch((error: unknown) =>
      logFailure(
        this.core,
        this.log,
        { err: error },
        'other daemons read the presses of buttons a little later',
      ),
    );
  }

  /** @returns milliseconds until the next look-up. */
  private async look(): Promise<number> {
    let nextMs = this.options.lookMs ?? LOOK_MS;
    for (const bot of await buttonBots(this.core)) {
      if (this.underWay.has(bot.key)) continue;
      const restMs = (this.restUntil.get(bot.key) ?? 0) - performance.now();
      if (restMs > 0) {
        nextMs = Math.min(nextMs, restMs);
        continue;
      }
      const reading = this.read(bot).finally(() => {
        this.underWay.delete(bot.key);
        this.loop.wake();
      });
      this.underWay.set(bot.key, reading);
    }
    return nextMs;
  }

  /** One poll, and all that was pressed. Never rejects. */
  private async read(bot: ButtonBot): Promise<void> {
    const { core, log, holder } = this;
    try {
      const offset = await takeBot(core, bot.key, holder, LEASE_MS);
      if (offset === null) return this.rest(bot, LOOK_MS);
      this.hasRead = true;
      const { pollS = POLL_S, slackMs = SLACK_MS } = this.options;
      const parameters = { offset, timeout: pollS, limit: BATCH, allowed_updates: ['callback_query'] };
      const answer = await this.call(bot, 'getUpdates', parameters, pollS * 1_000 + slackMs);
      if (!answer.ok) return this.pauseAfter(bot, answer);
      const { presses, next } = parseUpdates(answer.result);
      for (const press of presses) await this.press(bot, press);
      if (next !== null) await saveUpdateOffset(core, bot.key, holder, next, LEASE_MS);
      // A server that answers at once, and with nothing, must not keep the machine busy.
      else this.rest(bot, EMPTY_MS);
    } catch (error) {
      // What was not noted is asked for again.
      logFailure(core, log, { err: error, bot: bot.name }, 'presses of buttons could not be read');
      this.rest(bot, PAUSES_MS.failed);
    }
  }

  private rest({ key }: ButtonBot, ms: number): void {
    this.restUntil.set(key, performance.now() + ms);
  }

  private pauseAfter(bot: ButtonBot, answer: BotAnswer & { readonly ok: false }): void {
    if (this.ending.signal.aborted) return;
    const { fault, detail, retryAfterS } = answer;
    const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(PAUSES_MS[fault], (retryAfterS ?? 0) * 1_000));
    this.rest(bot, pauseMs);
    const level = fault === 'unauthorised' ? 'error' : 'warn';
    this.log[level]({ bot: bot.name, fault, detail, pause_ms: pauseMs }, SAID[fault]);
  }

  private async press(bot: ButtonBot, press: Press): Promise<void> {
    const pressed = await pressButton(this.core, bot.key, press);
    const { outcome, answer, newText, buttons, reply } = pressed;
    this.note(bot, press, pressed);
    const { query, chat, messageNumber } = press;
    const isStranger = outcome === 'stranger';
    // As a dialogue where something is to be read.
    await this.tell(bot, 'answerCallbackQuery', {
      callback_query_id: query,
      ...{ text: answer, show_alert: outcome !== 'decided' },
    });
    if (chat === null || isStranger) return;
    const message = { chat_id: chat, message_id: messageNumber };
    // Without a keyboard in it the edit takes the buttons away.
    if (newText !== null) {
      const keyboard = toReplyMarkup(buttons);
      await this.tell(bot, 'editMessageText', { ...message, text: telegramText(newText), ...keyboard });
    }
    if (reply !== null) {
      const to = { message_id: messageNumber, allow_sending_without_reply: true };
      await this.tell(bot, 'sendMessage', { chat_id: chat, text: telegramText(reply), reply_parameters: to });
    }
  }

  private note(bot: ButtonBot, { user, chat }: Press, { outcome }: PressResult): void {
    const level = outcome === 'stranger' || outcome === 'unknown' ? 'warn' : 'info';
    this.log[level]({ bot: bot.name, chat, user, outcome }, 'a button was pressed');
  }

  /** Sends a result to the chat. A failure is only logged, because the decision is already made. */
  private async tell(
    bot: ButtonBot,
    method: BotCall['method'],
    parameters: BotCall['parameters'],
  ): Promise<void> {
    const answer = await this.call(bot, method, parameters, CALL_MS, new AbortController().signal);
    if (answer.ok) return;
    const { fault, detail } = answer;
    this.log.warn(
      { bot: bot.name, method, fault, detail },
      'a chat could not be told what became of a press',
    );
  }

  private async call(
    bot: ButtonBot,
    method: BotCall['method'],
    parameters: BotCall['parameters'],
    deadlineMs: number,
    signal = this.ending.signal,
  ): Promise<BotAnswer> {
    const { callBot } = await import('../../src/notify/telegram.js');
    return callBot(bot, { method, parameters, deadlineMs, signal });
  }
}

const SAID: Readonly<Record<BotFault, string>> = {
  unauthorised: 'the token of a Telegram bot is not valid any more; add its targets again',
  conflict: 'another program reads the updates of a Telegram bot, or has set a webhook for it',
  flood: 'Telegram asks to be left alone for a while',
  failed: 'presses of buttons could not be read',
};
