/** Bots whose presses are read, and the buttons that were pressed. Knows no rule of the business. */
import { hot } from '../compiled-query.js';
import { newInserter } from '../compiled-rows.js';
import type { ButtonPressTable, Db } from '../schema/index.js';

/** Makes the row of a bot that nobody has read yet. */
export const insertPoll = newInserter('bot_polls', 'bot');

/**
 * Takes the bot for a while, where nobody else has it.
 * @param late no lease ends later: one that does was made by a clock that has been set back since.
 */
export const leasePoll = hot<{ bot: string; holder: string; now: number; until: number; late: number }>()(
  (db, value) =>
    db.query
      .updateTable('bot_polls')
      .set({ holder: value('holder'), until: value('until') })
      .where('bot', '=', value('bot'))
      .where(({ or, eb }) =>
        or([
          eb('holder', '=', value('holder')),
          eb('until', '<=', value('now')),
          eb('until', '>', value('late')),
        ]),
      )
      .returning('next_update'),
);

/** How far it is read. @param until then another one may have it. */
export const notePoll = hot<{ bot: string; holder: string; until: number; next: number }>()((db, value) =>
  db.query
    .updateTable('bot_polls')
    .set({ next_update: value('next'), until: value('until') })
    .where('bot', '=', value('bot'))
    .where('holder', '=', value('holder')),
);

/** Lets others have all that a process reads. */
export async function releasePolls(db: Db, holder: string): Promise<void> {
  await db.query.updateTable('bot_polls').set({ until: 0 }).where('holder', '=', holder).execute();
}

/** @returns false where that button of that message was pressed before, with the same facts. */
export const insertPress = newInserter('button_presses', 'message_id', 'action', 'facts');

export async function deletePress(db: Db, press: Pick<ButtonPressTable, 'message_id' | 'action' | 'facts'>) {
  const same = db.query.deleteFrom('button_presses').where('message_id', '=', press.message_id);
  await same.where('action', '=', press.action).where('facts', '=', press.facts).execute();
}

/** The alert that a message told, and where. */
export function pressedMessage(db: Db, message: string) {
  return db.query
    .selectFrom('alert_messages as m')
    .innerJoin('alerts as a', 'a.id', 'm.alert_id')
    .where('m.id', '=', message)
    .select(['m.target_id', 'a.kind', 'a.detail'])
    .executeTakeFirst();
}
