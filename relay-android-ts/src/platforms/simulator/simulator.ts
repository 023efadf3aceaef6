/**
 * A phone that is played on a computer, for the demo and for trials: each `*.json` file that appears in a
 * folder is one SMS. It is moved to `taken/` when the SMS is in the queue. Killed before that, it is read
 * again and has the id that it had, by which the queue and the server know it. Nothing is deleted, and
 * nothing is sent.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../../core/errors.js';
import { type HealthReading, percentOf, UNKNOWN_HEALTH } from '../../core/health.js';
import type {
  Dispatch,
  Inbox,
  InboxPage,
  InboxRow,
  Log,
  Platform,
  Sender,
  SendOutcome,
} from '../../core/ports.js';
import { isObject, oneOf, parseJson } from '../../core/shape.js';
import { dhakaTime } from '../../ports/node-clock.js';
import { ifThere, syncFolder, textIfThere, watchFolder } from '../../ports/node-files.js';

const TAKEN = 'taken';
const HEALTH_FILE = 'health.json';
const SMS_FILE = /^(?!health\.json$)[^.].*\.json$/;
const MAX_FILE_BYTES = 1024 * 1024;
const HEALTH_EVERY_MS = 1_000;
const MAX_SLOT = 9;
const ISO_WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

const isNetwork = oneOf('wifi', 'mobile', 'none', 'unknown');

/** Folders are made if they are missing. With `once` the inbox ends when its folder is empty. */
export function simulatedPhone(
  folders: { readonly inbox: string; readonly outbox: string },
  once: boolean,
  log: Log,
): Platform {
  let last = UNKNOWN_HEALTH;
  return {
    name: 'simulator',
    inbox: new FolderInbox(folders.inbox, once, log),
    sender: new FolderSender(folders.outbox),
    surface: null,
    healthEveryMs: HEALTH_EVERY_MS,
    readHealth: async () => {
      // A half-written file is not JSON; the state then stays as it was.
      last = parseHealth(parseJson((await textIfThere(join(folders.inbox, HEALTH_FILE))) ?? '')) ?? last;
      return last;
    },
  };
}

/** Unusable fields are unknown. Undefined if it is no object at all. */
function parseHealth(value: unknown): HealthReading | undefined {
  if (!isObject(value)) return undefined;
  const { battery, charging, network } = value;
  return {
    battery: percentOf(battery),
    charging: typeof charging === 'boolean' ? charging : null,
    network: isNetwork(network) ? network : null,
    sims: [],
  };
}

class FolderInbox implements Inbox {
  readonly name: string;
  private wake: () => void = () => {};
  private stopWatching: (() => void) | null = null;
  /** The file of each SMS that was given. */
  private readonly files = new WeakMap<InboxRow, string>();
  /** Keys of files that were read and cannot be moved away. */
  private readonly left = new Set<string>();
  /** SMS of moved files that are to be given once more. */
  private rereading: InboxRow[] = [];
  private againFrom: number | null = null;

  constructor(
    private readonly folder: string,
    private readonly once: boolean,
    private readonly log: Log,
  ) {
    this.name = `folder:${folder}`;
  }

  async since(cursor: string | null, limit: number): Promise<InboxPage> {
    if (this.againFrom !== null) await this.readAgain(this.againFrom);
    const again = this.rereading.splice(0, limit);
    if (again.length > 0) return { rows: again, cursor, next: 'more' };
    const rows: InboxRow[] = [];
    for (const name of await this.names()) {
      if (rows.length >= limit) break;
      const row = await this.read(name, true);
      if (row === null) continue;
      this.files.set(row, name);
      rows.push(row);
    }
    return { rows, cursor, next: rows.length > 0 ? 'more' : this.once ? 'ended' : 'idle' };
  }

  async kept({ rows }: InboxPage): Promise<void> {
    for (const row of rows) {
      const name = this.files.get(row);
      if (name !== undefined && !(await this.move(name))) this.left.add(row.key);
    }
    await syncFolder(join(this.folder, TAKEN));
    await syncFolder(this.folder);
  }

  onWake(wake: () => void): void {
    this.wake = wake;
  }

  again(fromMs: number): void {
    this.againFrom = fromMs;
  }

  close(): void {
    this.stopWatching?.();
  }

  private async readAgain(fromMs: number): Promise<void> {
    const rows: InboxRow[] = [];
    for (const name of await this.names(TAKEN)) {
      const row = await this.read(join(TAKEN, name), false);
      const isWanted = row?.receivedAt === null || Date.parse(row?.receivedAt ?? '') >= fromMs;
      if (row !== null && isWanted) rows.push(row);
    }
    this.rereading = rows;
    if (this.againFrom === fromMs) this.againFrom = null;
  }

  private async names(below = ''): Promise<string[]> {
    await mkdir(join(this.folder, TAKEN), { recursive: true });
    this.stopWatching ??= watchFolder(this.folder, (name) => {
      if (SMS_FILE.test(name)) this.wake();
    });
    return (await readdir(join(this.folder, below))).filter((name) => SMS_FILE.test(name)).sort();
  }

  /** Null for what is no SMS; with `isNew` it is named in the log, and moved away. */
  private async read(name: string, isNew: boolean): Promise<InboxRow | null> {
    const path = join(this.folder, name);
    const facts = await ifThere(stat(path));
    if (facts?.isFile() !== true) return null;
    // A file that is moved, or whose name is used again, is known by its inode.
    const key = String(facts.ino);
    if (isNew && this.left.has(key)) return null;
    const text = facts.size > MAX_FILE_BYTES ? '' : await readFile(path, 'utf8');
    const parsed = parseSms(parseJson(text), key, facts.mtimeMs);
    if (isNew && parsed.fault !== null) this.log.warn(parsed.fault, { file: name });
    if (isNew && parsed.row === null && !(await this.move(name))) this.left.add(key);
    return parsed.row;
  }

  private async move(name: string): Promise<boolean> {
    let target = join(this.folder, TAKEN, name);
    // A writer may reuse a name; the earlier file is kept.
    for (let copy = 2; existsSync(target); copy++) target = join(this.folder, TAKEN, `${copy}-${name}`);
    try {
      await ifThere(rename(join(this.folder, name), target));
      return true;
    } catch (error) {
      this.log.warn('a file that was taken cannot be moved', { file: name, reason: reasonOf(error) });
      return false;
    }
  }
}

/**
 * An SMS that says nothing of its time came at `arrivedAt` (Unix epoch, milliseconds), and one that says what
 * is no time has none. A SIM slot that is not given is not guessed: the server knows whether the phone has
 * one.
 */
function parseSms(
  value: unknown,
  key: string,
  arrivedAt: number,
): { readonly row: InboxRow | null; readonly fault: string | null } {
  const refuse = (fault: string) => ({ row: null, fault });
  if (!isObject(value)) return refuse('a file holds no SMS as JSON');
  const { sender, body, received_at: receivedAt, sim_slot: slot = null } = value;
  if (typeof sender !== 'string' || sender.trim() === '') return refuse('sender must be a text');
  if (typeof body !== 'string') return refuse('body must be a text');
  const isSlot = typeof slot === 'number' && Number.isInteger(slot) && slot >= 1 && slot <= MAX_SLOT;
  if (!isSlot && slot !== null) return refuse('sim_slot must be a whole number from 1');
  const isTime =
    typeof receivedAt === 'string' &&
    ISO_WITH_OFFSET.test(receivedAt) &&
    !Number.isNaN(Date.parse(receivedAt));
  const at = receivedAt === undefined ? dhakaTime(arrivedAt) : isTime ? receivedAt : null;
  const row = { key, sender, body, receivedAt: at, simSlot: isSlot ? slot : null };
  return { row, fault: at === null ? 'received_at is unusable' : null };
}

/**
 * Reports each SMS as FAILED, because a shop must not believe that a customer got it; its text is in a file.
 */
class FolderSender implements Sender {
  constructor(private readonly folder: string) {}

  /** One that is sent twice shows as two files. */
  async send(
    { id, number, message, simSlot }: Dispatch,
    tell: (outcome: SendOutcome) => void,
  ): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const name = encodeURIComponent(id);
    const before = (await readdir(this.folder)).filter((file) => file.startsWith(`${name}.`)).length;
    const path = join(this.folder, `${name}.${before + 1}.json`);
    await writeFile(`${path}.part`, `${JSON.stringify({ id, number, message, sim_slot: simSlot })}\n`);
    await rename(`${path}.part`, path);
    tell({ state: 'FAILED', error: 'simulated: no SMS was sent' });
  }

  close(): void {}
}
