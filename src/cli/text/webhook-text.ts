/** Notifications as text for people: contents, results, reasons and remedies. */
import type {
  AttemptView,
  NotificationInFull,
  NotificationView,
  PingResult,
  ReplayedFailed,
  ReplayResult,
} from '../../actions/notifications/notifications.js';
import { visible, wrap } from '../../base/values/cells.js';
import { translate } from '../../base/values/msg.js';
import { quoted } from '../../base/values/text.js';
import { MAX_TRIES } from '../../domain/notifications/notification.js';
import { formatKeyValues } from './table.js';
import { webhookFault } from './webhook-fault.js';

/** `2026-08-21 12:35:07` from the ISO text of a view. */
const second = (iso: string) => iso.slice(0, 19).replace('T', ' ');

/** `90 s`, `12 min`, `5 h`, rounded up. */
function lengthText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

/** Delivery progress and next attempt. */
function progressText(view: NotificationView, now: number): string {
  const { state, tries, under_way: underWay, next_at: nextAt } = view;
  if (state === 'DELIVERED') return `delivered at attempt ${tries}`;
  if (state === 'FAILED') return `failed permanently after ${tries} ${tries === 1 ? 'attempt' : 'attempts'}`;
  const wait = nextAt === null ? 0 : Date.parse(nextAt) - now;
  const next = underWay ? 'being sent now' : wait <= 0 ? 'due now' : `next in ${lengthText(wait)}`;
  return `${tries > 0 ? `tried ${tries} of ${MAX_TRIES} times` : untriedText(view)}, ${next}`;
}

/** Text for zero attempts. A replay resets the count, but keeps the time of the last attempt. */
const untriedText = ({ last_at: lastAt }: NotificationView) =>
  lastAt === null ? 'not tried yet' : 'to be sent again';

/** Payment reference, or `a test` for a notification without a payment. */
const aboutText = ({ gateway_reference: reference }: NotificationView) =>
  reference === null ? 'a test' : `payment ${reference}`;

/** One notification as a few lines of a list. */
export function notificationCard(view: NotificationView, now: number): string[] {
  const last = view.last_detail === null || view.state === 'DELIVERED' ? [] : [`  last: ${view.last_detail}`];
  const texts = [
    `  ${view.event}, ${aboutText(view)}, ${second(view.created_at)}`,
    `  ${view.brand} at ${view.endpoint}: ${progressText(view, now)}`,
    ...last,
  ];
  return [`${view.id}  ${view.state}`, ...texts.map(visible), ''];
}

/** One notification with its body and every attempt. */
function notificationSheet(view: NotificationInFull, now: number): string[] {
  return [
    ...formatKeyValues([
      ['Notification', view.id],
      ['Event', view.event],
      [
        'Payment',
        view.payment === null ? 'none, it is a test' : `${view.gateway_reference} (${view.payment})`,
      ],
      ['Sequence', view.payment === null ? null : String(view.sequence)],
      ['Brand', view.brand],
      ['State', `${view.state}: ${progressText(view, now)}`],
      ['Made', second(view.created_at)],
      ['Goes to', view.url],
    ]),
    '',
    `Body (${view.format}):`,
    `  ${visible(view.content)}`,
    '',
    ...attemptsLines(view.attempts),
    ...adviceLines(view),
  ];
}

/** @param shown one, or all of a payment. */
export function notificationSheets(
  shown: NotificationInFull | readonly NotificationInFull[],
  now: number,
): string[] {
  return [shown].flat().flatMap((view, at) => [...(at === 0 ? [] : ['']), ...notificationSheet(view, now)]);
}

function attemptsLines(attempts: readonly AttemptView[]): string[] {
  if (attempts.length === 0) return ['Attempts: none yet'];
  return ['Attempts (Bangladesh time):', ...attempts.flatMap(attemptLines)];
}

function attemptLines(attempt: AttemptView): string[] {
  const by = attempt.asked_by === 'schedule' ? '' : `, requested by ${attempt.asked_by}`;
  const status = attempt.status === null ? '' : ` ${attempt.status}`;
  return [
    visible(`  ${second(attempt.at)}  ${attempt.outcome}${status} after ${attempt.ms} ms${by}`),
    visible(`    ${attempt.detail}`),
    ...answerLines(attempt.answer),
  ];
}

/** Lines of the shop server's response, as much of it as was stored. */
function answerLines(answer: string | null): string[] {
  if (answer === null || answer.trim() === '') return [];
  return answer.split(/\r\n|[\r\n]/).map((line) => `    | ${visible(line)}`.trimEnd());
}

/** Width of a sentence in cells; the lines of attempts are not wrapped. */
const WIDTH = 80;

/** The fault of the last attempt, and its remedy. */
function faultLines({ attempts, brand }: Pick<NotificationInFull, 'attempts' | 'brand'>): string[] {
  const last = attempts.at(-1);
  const fault = last === undefined ? null : webhookFault({ attempt: last, redirect: null, brand });
  return fault === null ? [] : wrap(visible(translate(fault)), WIDTH);
}

function adviceLines(view: NotificationInFull): string[] {
  if (view.state === 'DELIVERED' || view.under_way) return [];
  if (view.payment === null) {
    return ['', ...faultLines(view), `Then try again: ${testCommand(view.brand)}`];
  }
  const replay = `kashbox webhooks replay ${view.id}`;
  if (view.state === 'FAILED') return ['', ...faultLines(view), `Then send it again: ${replay}`];
  if (view.tries === 0) return ['', 'A running daemon sends it; without one it waits: kashbox daemon'];
  return ['', ...faultLines(view), 'It is retried automatically; to send it now:', `  ${replay}`];
}

const testCommand = (brand: string) => visible(`kashbox webhooks test --brand ${quoted(brand)}`);

export function replayedLines({ id, event, gateway_reference, url, moved }: ReplayResult): string[] {
  return [
    visible(`${event} of payment ${gateway_reference ?? ''} is due again under its old webhook-id.`),
    ...(moved ? [visible(`It goes to the current address: ${url}`)] : []),
    'A running daemon sends it within two seconds. See the result:',
    `  kashbox webhooks show ${id}`,
  ];
}

export function replayedFailedLines({ replayed, under_way: underWay }: ReplayedFailed): string[] {
  const left = underWay === 0 ? [] : [`${underWay} skipped, because they are being sent right now.`];
  if (replayed.length === 0) return ['There is nothing to send again.', ...left];
  const moved = replayed.filter((one) => one.moved).length;
  const blocked = replayed.filter((one) => one.blocked).length;
  return [
    `${replayed.length} due again, each with its old webhook-id.`,
    ...(moved === 0 ? [] : [`${moved} of them go to the current address, which has changed.`]),
    ...(blocked === 0
      ? []
      : [
          `WARNING: ${blocked} of them go to an address that is never called, and will fail again.`,
          '  Give the brand a public https address: kashbox brands update --webhook-url',
        ]),
    ...left,
    'A running daemon sends them. Watch the queue:',
    '  kashbox webhooks list --status PENDING',
  ];
}

export function pingedLines(pinged: PingResult): string[] {
  const { attempt, brand, id, state, url } = pinged;
  const lines = [visible(`A signed test went to ${url}`), ...attemptLines(attempt), ''];
  const fault = webhookFault(pinged);
  if (fault === null) {
    return [...lines, "The shop's server accepted it. Its log says whether it checked the signature."];
  }
  return [
    ...lines,
    ...(state === 'DELIVERED' ? [] : [`Not delivered; stored as ${id}.`]),
    ...wrap(visible(translate(fault)), WIDTH),
    `Then try again: ${testCommand(brand)}`,
  ];
}
