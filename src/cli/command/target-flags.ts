/** Flags for an alert target: events, quiet hours, summary, buttons. Does not validate the values. */
import { boolean } from '@oclif/core/flags';
import type { TargetChoices } from '../../actions/alerts/target-input.js';
import type { FlagsOf } from './define.js';
import { text } from './flags.js';

/** Flags for creating a target. */
export const choiceFlags = {
  events: text('KINDS', 'Alerts to send: default, all, money, devices, system, or kinds, comma-separated.'),
  'quiet-hours': text('HH:MM-HH:MM', 'Quiet hours (Bangladesh time): delay alerts that are not urgent.'),
  'quiet-all': boolean({ description: 'Delay urgent alerts as well.' }),
  'daily-summary': text('HH:MM', 'Time of the daily summary.'),
  buttons: boolean({
    description: 'Telegram: show Approve and Reject buttons for payments under review.',
  }),
  approvers: text('ID,ID', 'Only these Telegram users may press; "all" for every member of the chat.'),
};

/** Flags for updating a target. */
export const changeFlags = {
  ...choiceFlags,
  'quiet-hours': text('HH:MM-HH:MM', 'Quiet hours (Bangladesh time): delay alerts that are not urgent.', {
    exclusive: ['no-quiet-hours'],
  }),
  'daily-summary': text('HH:MM', 'Time of the daily summary.', { exclusive: ['no-daily-summary'] }),
  'no-quiet-hours': boolean({ description: 'Turn quiet hours off.', exclusive: ['quiet-all'] }),
  'no-daily-summary': boolean({ description: 'Turn the daily summary off.' }),
  'no-buttons': boolean({ description: 'Turn buttons off.', exclusive: ['buttons', 'approvers'] }),
};

type GivenChoices = FlagsOf<typeof choiceFlags> &
  Partial<FlagsOf<Omit<typeof changeFlags, keyof typeof choiceFlags>>>;

export function toTargetChoices(flags: GivenChoices): TargetChoices {
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
