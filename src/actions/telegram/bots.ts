/** The Telegram bots whose buttons are pressed, and which process reads the presses of each. */
import { hashKey } from '../../base/io/secret.js';
import type { Bot } from '../../notify/telegram.js';
import { insertPoll, leasePoll, notePoll, releasePolls } from '../../store/tables/alert-messages.js';
import { activeTargets } from '../../store/tables/alert-targets.js';
import { openTarget } from '../alerts/deliver-alerts.js';
import type { Core } from '../core/core.js';
import { ifReadable } from '../core/seal-purposes.js';

export interface ButtonBot extends Bot {
  /** The same for every target of that bot; tells nothing of its token. */
  readonly key: string;
  /** Such as `bot 123456`. */
  readonly name: string;
  readonly chats: readonly ButtonChat[];
}

export interface ButtonChat {
  /** Identifier of the target. */
  readonly target: string;
  readonly chat: string;
  /** Ids of users; empty for every member. */
  readonly approvers: readonly string[];
}

/** Those of targets with buttons. A target whose credentials cannot be opened is passed over. */
export async function buttonBots(core: Core): Promise<ButtonBot[]> {
  const rows = (await core.store.read(activeTargets)).filter(({ buttons }) => buttons === 1);
  const bots = new Map<string, ButtonBot>();
  for (const row of rows) {
    const target = ifReadable(() => openTarget(core, row));
    if (target?.kind !== 'telegram') continue;
    const { api, token, chat, allowPrivate } = target;
    const number = token.split(':')[0] ?? '';
    const key = hashKey(`${api} ${number}`);
    const approvers = row.approvers.split(' ').filter((id) => id !== '');
    const known = bots.get(key);
    const chats = [...(known?.chats ?? []), { target: row.id, chat, approvers }];
    // The last added has the newest token.
    bots.set(key, { key, name: `bot ${number}`, api, token, allowPrivate, chats });
  }
  return [...bots.values()];
}

/** @returns the first update to ask for, or null where another process reads that bot. */
export async function takeBot(
  core: Core,
  key: string,
  holder: string,
  forMs: number,
): Promise<number | null> {
  const now = core.clock.now();
  const lease = { bot: key, holder, now, until: now + forMs, late: now + 2 * forMs };
  return core.store.write(async (db) => {
    await insertPoll(db, { bot: key, holder, until: 0, next_update: 0 });
    return (await leasePoll.first(db, lease))?.next_update ?? null;
  });
}

/** Writes down how far the updates of a bot are read. */
export async function noteUpdates(core: Core, key: string, holder: string, next: number, forMs: number) {
  const until = core.clock.now() + forMs;
  await core.store.write((db) => notePoll.all(db, { bot: key, holder, until, next }));
}

/** To be called at the end: others need not wait. */
export async function releaseBots(core: Core, holder: string): Promise<void> {
  await core.store.write((db) => releasePolls(db, holder));
}
