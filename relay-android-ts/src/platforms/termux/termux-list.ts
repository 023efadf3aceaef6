/** The questions that are put to the phone's list of SMS. Throws what a person should read. */
import { InboxError } from '../../core/inbox/inbox-trouble.js';
import { explain, type Failure, type TermuxCalls } from './termux-calls.js';
import { type ParsedRows, parseRows, type TermuxRow } from './termux-rows.js';

const PROGRAM = 'termux-sms-list';

export interface Question {
  readonly type: 'inbox' | 'all';
  /** SQL over the columns of the provider; numbers and constants only. */
  readonly where?: string;
  /** By `_id`. */
  readonly newestFirst?: boolean;
  readonly limit: number;
  readonly stop?: AbortSignal;
}

/** Termux:API has understood the question, and refuses it. */
export class RefusedError extends InboxError {}

/** There are SMS, in a shape that we do not know: not to be taken for an empty list. */
export class UnreadableError extends InboxError {}

export async function listSms(calls: TermuxCalls, question: Question): Promise<ParsedRows> {
  const { type, where, newestFirst = false, limit, stop } = question;
  const result = await calls.run({
    program: PROGRAM,
    args: [
      `--message-type=${type}`,
      ...(where === undefined ? [] : [`--message-selection=${where}`]),
      `--message-sort-order=_id ${newestFirst ? 'DESC' : 'ASC'}`,
      '--message-return-no-order-reverse',
      `--message-limit=${limit}`,
    ],
    urgent: true,
    ...(stop === undefined ? {} : { stop }),
  });
  if (result.kind === 'refused') throw new RefusedError(troubleOf(result), explain(PROGRAM, result));
  if (result.kind !== 'answered') throw new InboxError(troubleOf(result), explain(PROGRAM, result));
  const parsed = parseRows(result.stdout);
  if (parsed === undefined) {
    throw new InboxError(
      `cannot read SMS: ${PROGRAM} prints no list`,
      `${PROGRAM} printed no list; is the app Termux:API up to date?`,
    );
  }
  if (parsed.rows.length === 0 && parsed.unreadable.length > 0) {
    throw new UnreadableError(
      `cannot read SMS: ${PROGRAM} prints them in an unknown form`,
      `${PROGRAM} prints SMS of which none can be read; is kashbox-relay up to date?`,
    );
  }
  return parsed;
}

/** What a program says itself may quote the question, or an SMS: none of it is in here. */
function troubleOf(failure: Failure): string {
  switch (failure.kind) {
    case 'missing':
      return `cannot read SMS: ${PROGRAM} is not there`;
    case 'refused':
      return `cannot read SMS: Termux:API ${refusal(failure.message)}`;
    case 'hung':
      return 'cannot read SMS: Termux:API does not answer';
    case 'failed':
      return `cannot read SMS: ${PROGRAM} fails`;
    default:
      return failure satisfies never;
  }
}

function refusal(message: string): string {
  if (message.includes('READ_SMS')) return 'lacks the SMS permission';
  return message.includes('READ_CONTACTS') ? 'lacks the Contacts permission' : 'refuses to list them';
}

/** The newest of all, or undefined where there is none. */
export async function newestSms(
  calls: TermuxCalls,
  type: Question['type'],
  stop?: AbortSignal,
): Promise<TermuxRow | undefined> {
  const question = { type, newestFirst: true, limit: 1 } as const;
  const { rows } = await listSms(calls, stop === undefined ? question : { ...question, stop });
  return rows[0];
}
