/** Formats alerts and their targets as lines of text. Pure. */
import type { AddedTarget, TargetView, TestedTarget } from '../../actions/alerts/alert-targets.js';
import type { AlertDeliveryView, AlertView } from '../../actions/alerts/list-alerts.js';
import { type DeviceInFull, deviceSheet } from '../../actions/devices/device-view.js';
import { visible, wrap } from '../../base/values/cells.js';
import { minute } from '../../base/values/clock.js';
import { kindFacts } from '../../domain/alerts/alert.js';
import { formatKeyValues } from './table.js';

/** Maximum width of a line without its indent, for the narrowest terminal. */
const WIDTH = 76;

/** Formats an alert as a few lines: time, text, and whether it was delivered. */
export function alertCard(view: AlertView): string[] {
  const { at, ended_at: endedAt, event, message, told } = view;
  return [
    `${minute(at)}  ${event}  ${endedText(event, endedAt)}`.trimEnd(),
    ...[message, ...told.map(deliveryText)].flatMap((text) =>
      wrap(visible(text), WIDTH).map((line) => `  ${line}`),
    ),
    '',
  ];
}

function endedText(event: AlertView['event'], endedAt: string | null): string {
  if (!kindFacts(event).lasts) return '';
  return endedAt === null ? 'open' : `over since ${minute(endedAt)}`;
}

function deliveryText({ kind, hint, state, tries, error }: AlertDeliveryView): string {
  const times = tries === 1 ? 'once' : `${tries} times`;
  switch (state) {
    case 'DELIVERED':
      return `sent by ${kind}: ${hint}`;
    case 'PENDING':
      return tries === 0
        ? `waits for ${kind}: ${hint}`
        : `tried ${times}, waits for ${kind}: ${hint} (${error ?? ''})`;
    case 'HELD':
      return `waits for the end of quiet hours, ${kind}: ${hint}`;
    case 'SUMMED':
      return `sent in a summary by ${kind}: ${hint}`;
    case 'FAILED':
      return `failed permanently, tried ${times}, ${kind}: ${hint} (${error ?? ''})`;
    default:
      return state satisfies never;
  }
}

/** Formats a target with its events and times. */
export function targetLines(target: TargetView, secret: string | null = null): string[] {
  const { quiet, quiet_all: isAll, approvers } = target;
  const buttons = approvers.length === 0 ? 'for every member of the chat' : `for ${approvers.join(', ')}`;
  return formatKeyValues([
    ['Target', target.hint],
    ['Kind', target.kind],
    ['Id', target.id],
    ['Events', target.events.join(', ')],
    ['Quiet hours', quiet === null ? null : `${quiet}, ${isAll ? 'for all' : 'except urgent alerts'}`],
    ['Daily summary', target.daily],
    ['Buttons', target.buttons ? buttons : null],
    ['Webhook secret', secret],
  ]);
}

/** A target as a few lines, for a list. */
export function targetCard(target: TargetView): string[] {
  const { id, kind, hint, events, quiet, quiet_all: isAll, daily, buttons, approvers } = target;
  const facts = [
    events.join(', '),
    ...(quiet === null ? [] : [`quiet ${quiet}${isAll ? ' for all' : ''}`]),
    ...(daily === null ? [] : [`summary at ${daily}`]),
    ...(buttons ? [`buttons${approvers.length === 0 ? '' : ` for ${approvers.join(', ')}`}`] : []),
    `${target.waiting} waiting, ${target.held} held back, ${target.failed} failed`,
  ];
  return [
    `${id}  ${kind}`,
    ...[hint, ...facts].flatMap((text) => wrap(visible(text), WIDTH).map((line) => `  ${line}`)),
    '',
  ];
}

export function addedLines({ target, webhook_secret: secret }: AddedTarget): string[] {
  const onlyNow =
    'The secret is shown only now; with it your receiver can check that an alert is from Kashbox.';
  return [
    ...targetLines(target, secret),
    '',
    ...(secret === null ? [] : [onlyNow]),
    `Try it: kashbox alert-targets test ${target.id}`,
  ];
}

export function testedLine({ kind, hint, delivered, detail }: TestedTarget): string {
  return visible(`${delivered ? 'arrived' : 'FAILED '}  ${kind}  ${hint}: ${detail}`);
}

/** Formats a phone with the state of SMS sent through it and its last alerts. */
export function deviceLines(view: DeviceInFull): string[] {
  const counts = Object.entries(view.dispatches).map(([state, count]) => `${count} ${state}`);
  return [
    ...formatKeyValues(deviceSheet(view)),
    ...(counts.length === 0 ? [] : ['', `Sent through it: ${counts.join(', ')}`]),
    ...(view.alerts.length === 0 ? [] : ['', ...view.alerts.flatMap(alertCard)]).slice(0, -1),
  ];
}
