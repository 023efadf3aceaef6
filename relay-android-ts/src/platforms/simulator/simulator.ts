/**
 * Simulated phone on a computer, for the demo and for trials. Its SMS come from stdin, or from files that
 * appear in a folder: `*.json` contains one SMS or an array, `*.ndjson` one SMS per line. A file is moved to
 * `taken/` when its SMS are in the queue. After a crash before that, it is read again and its SMS get the
 * same ids, which the queue and the server recognise. Nothing is deleted, and no SMS is sent.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { errorMessage } from '../../core/errors.js';
import { type HealthReading, parsePercent, UNKNOWN_HEALTH } from '../../core/health.js';
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
import { asObject, isObject, isText, oneOf, parseJson } from '../../core/shape.js';
import { dhakaTime } from '../../ports/node-clock.js';
import { ifExists, readTextIfExists, syncFolder, watchFolder } from '../../ports/node-files.js';

const TAKEN = 'taken';
const HEALTH_FILE = 'health.json';
const SMS_FILE = /^(?!health\.json$)[^.].*\.(nd)?json$/;
const MAX_FILE_BYTES = 1024 * 1024;
const HEALTH_EVERY_MS = 1_000;
const MAX_SLOT = 9;
const ISO_WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

const isNetwork = oneOf('wifi', 'mobile', 'none', 'unknown');

interface Folders {
  readonly inbox: string;
  readonly outbox: string;
}

/** Folders are made if they are missing. With `once` the inbox ends when its folder is empty. */
export function simulatedPhone(folders: Folders, once: boolean, log: Log): Platform {
  return phoneWith(new FolderInbox(folders.inbox, once, log), folders);
}

/** The inbox ends with `input`; each of its lines is answered on `output`. */
export function pipedPhone(
  folders: Folders,
  { input, output, now }: { input: Readable; output: Writable; now: () => number },
  log: Log,
): Platform {
  return phoneWith(new StdinInbox(input, output, now, log), folders);
}

function phoneWith(inbox: Inbox, folders: Folders): Platform {
  let last = UNKNOWN_HEALTH;
  return {
    name: 'simulator',
    inbox,
    sender: new FolderSender(folders.outbox),
    surface: null,
    healthEveryMs: HEALTH_EVERY_MS,
    readHealth: async () => {
      // A half-written file is not JSON; the state then stays as it was.
      last = parseHealth(parseJson((await readTextIfExists(join(folders.inbox, HEALTH_FILE))) ?? '')) ?? last;
      return last;
    },
  };
}

/** Invalid fields become unknown. @returns undefined if the value is not an object */
function parseHealth(value: unknown): HealthReading | undefined {
  if (!isObject(value)) return undefined;
  const { battery, charging, network, sims } = value;
  const known = (Array.isArray(sims) ? sims.map(asObject) : []).filter(({ slot }) => isSlot(slot));
  return {
    battery: parsePercent(battery),
    charging: typeof charging === 'boolean' ? charging : null,
    network: isNetwork(network) ? network : null,
    sims: known.map(({ slot, number }) => ({ slot: Number(slot), number: isText(number) ? number : null })),
  };
}

class FolderInbox implements Inbox {
  readonly name: string;
  private wake: () => void = () => {};
  private stopWatching: (() => void) | null = null;
  /** The file of each SMS that was given. */
  private readonly files = new WeakMap<InboxRow, string>();
  /** Inodes of files that were read and cannot be moved away. */
  private readonly left = new Set<string>();
  /** SMS of moved files that are to be returned again. */
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
      const ofFile = await this.read(name, true);
      for (const row of ofFile) this.files.set(row, name);
      rows.push(...ofFile);
    }
    return { rows, cursor, next: rows.length > 0 ? 'more' : this.once ? 'ended' : 'idle' };
  }

  async kept({ rows }: InboxPage): Promise<void> {
    const taken = new Map(rows.map((row) => [this.files.get(row), inodeIn(row.key)]));
    for (const [name, inode] of taken)
      if (name !== undefined && !(await this.move(name))) this.left.add(inode);
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
      const isWanted = ({ receivedAt }: InboxRow) => receivedAt === null || Date.parse(receivedAt) >= fromMs;
      rows.push(...(await this.read(join(TAKEN, name), false)).filter(isWanted));
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

  /**
   * Reads the valid SMS of a file. @param isNew true to log invalid SMS, and move a file without valid ones
   */
  private async read(name: string, isNew: boolean): Promise<InboxRow[]> {
    const path = join(this.folder, name);
    const facts = await ifExists(stat(path));
    if (facts?.isFile() !== true) return [];
    // A file that is moved, or whose name is used again, is known by its inode.
    const inode = String(facts.ino);
    if (isNew && this.left.has(inode)) return [];
    const text = facts.size > MAX_FILE_BYTES ? '' : await readFile(path, 'utf8');
    const items = itemsOf(name, text);
    const parsed = items.map((item, at) =>
      parseSms(item, items.length === 1 ? inode : `${inode}#${at}`, facts.mtimeMs),
    );
    if (isNew) {
      for (const { fault } of parsed) if (fault !== null) this.log.warn(fault, { file: name });
    }
    const rows = parsed.flatMap(({ row }) => (row === null ? [] : [row]));
    if (isNew && rows.length === 0 && !(await this.move(name))) this.left.add(inode);
    return rows;
  }

  private async move(name: string): Promise<boolean> {
    let target = join(this.folder, TAKEN, name);
    // A writer may reuse a name; the earlier file is kept.
    for (let copy = 2; existsSync(target); copy++) target = join(this.folder, TAKEN, `${copy}-${name}`);
    try {
      await ifExists(rename(join(this.folder, name), target));
      return true;
    } catch (error) {
      this.log.warn('a file that was taken cannot be moved', { file: name, reason: errorMessage(error) });
      return false;
    }
  }
}

/** @returns the inode of the file that an SMS with that key was in. */
const inodeIn = (key: string): string => key.split('#')[0] ?? key;

/** Parses a file into items; an invalid line, or an invalid file, becomes undefined. */
function itemsOf(name: string, text: string): unknown[] {
  if (name.endsWith('.ndjson')) {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(parseJson);
  }
  const value = parseJson(text);
  return Array.isArray(value) && value.length > 0 ? value : [value];
}

const isSlot = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SLOT;

/**
 * Parses one SMS. Without `received_at` its time is `arrivedAt`; with an invalid one it has no time. A
 * missing SIM slot is not guessed: the server knows whether the phone has one.
 * @param arrivedAt milliseconds since the Unix epoch
 */
function parseSms(
  value: unknown,
  key: string,
  arrivedAt: number,
): { readonly row: InboxRow | null; readonly fault: string | null } {
  const refuse = (fault: string) => ({ row: null, fault });
  if (!isObject(value)) return refuse('not a JSON object');
  const { sender, body, received_at: receivedAt, sim_slot: slot = null } = value;
  if (typeof sender !== 'string' || sender.trim() === '') return refuse('sender must be a text');
  if (typeof body !== 'string') return refuse('body must be a text');
  if (slot !== null && !isSlot(slot)) return refuse('sim_slot must be a whole number from 1');
  const isTime =
    typeof receivedAt === 'string' &&
    ISO_WITH_OFFSET.test(receivedAt) &&
    !Number.isNaN(Date.parse(receivedAt));
  const at = receivedAt === undefined ? dhakaTime(arrivedAt) : isTime ? receivedAt : null;
  const row = { key, sender, body, receivedAt: at, simSlot: slot };
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

const MAX_LINE_CHARS = 64 * 1024;
/** Maximum number of unsaved lines; above it reading pauses. */
const MAX_WAITING = 1_000;

/** A parsed line: an SMS, or the reason why it is invalid. Answers keep the order of lines. */
type StdinLine = { readonly row: InboxRow } | { readonly refused: string };

/**
 * Inbox from a stream of lines: each line is one SMS as JSON, and is answered with a line once it is on disk.
 * An interrupted feeder sends unanswered lines again; with the same `received_at` an SMS gets the same id and
 * is stored once.
 */
class StdinInbox implements Inbox {
  readonly name = 'stdin';
  private lines: StdinLine[] = [];
  private inHand: StdinLine[] = [];
  private ended = false;
  private wake: () => void = () => {};

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly now: () => number,
    private readonly log: Log,
  ) {
    // SMS are kept even if the feeder no longer reads answers.
    output.on('error', () => {});
    this.read();
  }

  /** Returns the same lines again after a failed write, because they exist nowhere else. */
  async since(cursor: string | null, limit: number): Promise<InboxPage> {
    if (this.inHand.length === 0) {
      this.inHand = this.lines.splice(0, limit);
      if (this.lines.length < MAX_WAITING) this.input.resume();
    }
    const rows = this.inHand.flatMap((line) => ('row' in line ? [line.row] : []));
    if (this.inHand.length > 0) return { rows, cursor, next: 'more' };
    return { rows, cursor, next: this.ended ? 'ended' : 'idle' };
  }

  async kept(_page: InboxPage, ids: readonly string[]): Promise<void> {
    let at = 0;
    const answers = this.inHand.map((line) =>
      JSON.stringify('row' in line ? { queued: ids[at++] } : { refused: line.refused }),
    );
    this.inHand = [];
    if (answers.length > 0) this.output.write(`${answers.join('\n')}\n`);
  }

  onWake(wake: () => void): void {
    this.wake = wake;
  }

  /** Does nothing: only the feeder still has the lines already read. */
  again(): void {}

  close(): void {
    this.input.destroy();
  }

  private read(): void {
    const decoder = new TextDecoder();
    let rest = '';
    let tooLong = false;
    this.input.on('data', (chunk: Buffer) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        this.accept(tooLong ? undefined : line);
        tooLong = false;
      }
      if (rest.length > MAX_LINE_CHARS) {
        tooLong = true;
        rest = '';
      }
      if (this.lines.length >= MAX_WAITING) this.input.pause();
      this.wake();
    });
    this.input.on('end', () => this.finish(tooLong ? undefined : rest));
    this.input.on('error', () => this.finish(''));
  }

  /** @param line undefined for a line that was too long to keep */
  private accept(line: string | undefined): void {
    if (line?.trim() === '') return;
    if (line === undefined || line.length > MAX_LINE_CHARS) {
      this.lines.push({ refused: `a line is longer than ${MAX_LINE_CHARS} characters` });
      return;
    }
    const { row, fault } = parseSms(parseJson(line), this.name, this.now());
    if (row !== null && fault !== null) this.log.warn(`${fault}; the SMS has no time, and a person decides`);
    this.lines.push(row === null ? { refused: fault ?? '' } : { row });
  }

  private finish(rest: string | undefined): void {
    this.accept(rest);
    this.ended = true;
    this.wake();
  }
}
