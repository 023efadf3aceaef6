/** `kashbox-relay dead-letters`: SMS that the server rejected. Works while the agent runs. */
import type { Command } from 'commander';
import { RelayError } from '../core/errors.js';
import { type DeadLetterRequest, DeadLetterState } from '../core/inbox/dead-letters.js';
import { QueueState } from '../core/inbox/queue.js';
import { dhakaTime } from '../ports/node-clock.js';
import type { Home } from '../ports/node-home.js';
import { lockHolder } from '../ports/node-lock.js';
import { type CommonOptions, common, loadJournal, openHome, print, type Terminal } from './context.js';

type DeadLetterReport = Awaited<ReturnType<typeof loadDeadLetters>>[number];

interface Options extends CommonOptions {
  readonly all?: boolean;
}

/** Number of characters of an id that are displayed, enough to identify a dead letter. */
const SHORT = 12;

/** The newest last. */
export async function loadDeadLetters(home: Home) {
  const { letters, dismissed } = await loadJournal(home.deadLettersPath, new DeadLetterState());
  const queue = await loadJournal(home.queuePath, new QueueState());
  return [...letters.values()].map(({ message, reason, at }) => ({
    id: message.id,
    sender: message.sender,
    received_at: message.receivedAt,
    /** Reason and time of the last rejection by the server. */
    reason,
    at: dhakaTime(at),
    /** True while it is queued to be sent again. */
    queued: queue.messages.has(message.id),
    /** True if it is no longer reported. */
    dismissed: dismissed.has(message.id),
  }));
}

export function describeDeadLetter({
  id,
  at,
  sender,
  received_at,
  reason,
  ...letter
}: DeadLetterReport): string {
  const state = letter.queued ? ' (is sent once more)' : letter.dismissed ? ' (dismissed)' : '';
  return `${id.slice(0, SHORT)} ${at} from ${sender}, received ${received_at}: ${reason}${state}`;
}

async function list({ home, json }: Options): Promise<string> {
  const letters = await loadDeadLetters(openHome(home));
  if (json) return JSON.stringify(letters);
  return letters.length === 0 ? 'No dead letters' : letters.map(describeDeadLetter).join('\n');
}

async function requestOf(
  kind: DeadLetterRequest['kind'],
  names: readonly string[],
  options: Options,
): Promise<string> {
  const home = openHome(options.home);
  const known = (await loadDeadLetters(home)).map(({ id }) => id);
  if (names.length === 0 && options.all !== true)
    throw new RelayError('invalid_input', 'Name dead letters by their ids, or all of them by --all');
  const ids = options.all === true ? known : names.map((name) => idOf(known, name));
  if (ids.length > 0) await home.leaveRequest({ kind, ids });
  const isRunning = (await lockHolder(home.lockPath)) !== null;
  if (options.json) return JSON.stringify({ ids, running: isRunning });
  const when = isRunning ? 'within seconds' : 'as soon as the agent runs';
  if (kind === 'dismiss') return `Dead letters that nobody is told of any more, ${when}: ${ids.length}`;
  return `SMS that go to the server once more, ${when}: ${ids.length}\nSee what becomes of them: kashbox-relay dead-letters list`;
}

function idOf(known: readonly string[], name: string): string {
  const [id, ...others] = known.filter((one) => one.startsWith(name));
  if (id !== undefined && others.length === 0 && name !== '') return id;
  throw new RelayError(
    'invalid_input',
    `${id === undefined ? 'No dead letter has' : 'Several dead letters have'} an id that begins like this: ${name}`,
  );
}

export function addDeadLetters(program: Command, terminal: Terminal): void {
  const letters = program
    .command('dead-letters')
    .summary('SMS that the server refuses: show them, send them once more')
    .description(
      'SMS that the server itself has refused stay on the phone as dead letters. They are sent once more at ' +
        'each start of the agent, and when the server misses SMS of their time. Works beside a running agent.',
    );
  const listing = letters
    .command('list')
    .summary('show dead letters, and why each was refused')
    .description('Shows the SMS that the server has refused, with its reason.')
    .action(async (options: Options) => print(terminal, await list(options)));
  common(listing, { examples: 'Example:\n  kashbox-relay dead-letters list --json' });
  const retrying = letters
    .command('retry')
    .summary('send dead letters to the server once more')
    .description('Sends dead letters once more. One stays on the phone until the server has taken it.')
    .argument('[ids...]', `ids as list shows them; the first ${SHORT} characters are enough`)
    .option('--all', 'all of them')
    .action(async (ids: string[], options: Options) =>
      print(terminal, await requestOf('retry', ids, options)),
    );
  common(retrying, {
    examples:
      'Examples:\n  kashbox-relay dead-letters retry 3f2a9c01b7de\n  kashbox-relay dead-letters retry --all',
  });
  const dismissing = letters
    .command('dismiss')
    .summary('tell nobody of dead letters any more')
    .description('Clears the problem reported for dead letters. They stay on the phone and in the list.')
    .argument('[ids...]', 'as for retry')
    .option('--all', 'all that there are now')
    .action(async (ids: string[], options: Options) =>
      print(terminal, await requestOf('dismiss', ids, options)),
    );
  common(dismissing, { examples: 'Example:\n  kashbox-relay dead-letters dismiss 3f2a9c01b7de' });
}
