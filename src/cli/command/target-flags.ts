/** The flags by which an operator says what an alert target wants, and when. Judges no value. */
import { boolean } from '@oclif/core/flags';
import type { TargetChoices } from '../../actions/alerts/target-input.js';
import type { FlagsOf } from './define.js';
import { text } from './flags.js';

/** For targets that are added. */
export const choiceFlags = {
  events: text(
    'KINDS',
    'What is told there: default, all, money, devices, system, or kinds with commas between.',
  ),
  'quiet-hours': text(
    'HH:MM-HH:MM',
    'Quiet hours in Bangladesh: what is not urgent waits, and comes as one message.',
  ),
  'quiet-all': boolean({ description: 'Urgent news waits for the end of quiet hours, too.' }),
  'daily-summary': text(
    'HH:MM',
    'When to tell how the day was: before noon of yesterday, later of today so far.',
  ),
  buttons: boolean({
    description: 'Telegram: put Approve and Reject below payments that wait for a person.',
  }),
  approvers: text('ID,ID', 'Only these Telegram users may press; "all" for every member of the chat.'),
};

/** For targets that there are. */
export const changeFlags = {
  ...choiceFlags,
  'quiet-hours': text('HH:MM-HH:MM', 'Quiet hours in Bangladesh; urgent news comes through.', {
    exclusive: ['no-quiet-hours'],
  }),
  'daily-summary': text('HH:MM', 'When to tell how the day was.', { exclusive: ['no-daily-summary'] }),
  'no-quiet-hours': boolean({ description: 'No quiet hours any more.', exclusive: ['quiet-all'] }),
  'no-daily-summary': boolean({ description: 'No daily summary any more.' }),
  'no-buttons': boolean({ description: 'No buttons any more.', exclusive: ['buttons', 'approvers'] }),
};

type GivenChoices = FlagsOf<typeof choiceFlags> &
  Partial<FlagsOf<Omit<typeof changeFlags, keyof typeof choiceFlags>>>;

export function choicesOf(flags: GivenChoices): TargetChoices {
  const { events, quietAll, noQuietHours, noDailySummary, noButtons } = flags;
  const approvers = noButtons || flags.approvers?.trim().toLowerCase() === 'all' ? null : flags.approvers;
  return {
    events,
    quiet: noQuietHours ? null : flags.quietHours,
    // A flag that is not given is false, which chooses nothing.
    quietAll: quietAll || undefined,
    daily: noDailySummary ? null : flags.dailySummary,
    buttons: noButtons ? false : flags.buttons || undefined,
    approvers,
  };
}
