/**
 * An inbox that is a folder: each `*.json` (one SMS or an array) or `*.ndjson` in it is SMS that arrived.
 *
 * What survives a kill at any moment: the names of the files just read are part of the cursor, which is
 * on the disk in one record with their messages. Only then are the files moved to `taken/`. Killed
 * before the record: the files are still there and are read again. Killed after it, before the move: the
 * cursor names them, so they are moved and not read again. A cursor forgets a file only once its move is
 * on the disk. Files are never deleted, and are recognised by inode, size and time, so that a new file of
 * the same name is not mistaken for an old one.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { reasonOf } from '../../core/errors.js';
import type { Inbox, InboxPage, InboxRow, Log } from '../../core/ports.js';
import { parseJson } from '../../core/shape.js';
import { ifThere, syncFolder } from '../../ports/node-files.js';
import { parseSms } from './sms-json.js';

const TAKEN = 'taken';
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** The phone's state lies in the same folder and is not an SMS. */
export const HEALTH_FILE = 'health.json';

interface FileMark {
  readonly name: string;
  readonly stamp: string;
}

interface Cursor {
  /** Read to the end and in the queue; perhaps not moved yet. */
  readonly taken: readonly FileMark[];
  /** The file that was longer than a page, and how many of its rows are in the queue. */
  readonly part: (FileMark & { readonly rows: number }) | null;
}

export class FolderInbox implements Inbox {
  readonly name: string;
  /** Rows of moved files that are to be read once more. */
  private rereading: InboxRow[] = [];
  private againFrom: number | null = null;
  /** The cursor whose files are known to be moved, so that an idle look costs one directory listing. */
  private moved: string | null = null;

  /** With `endWhenEmpty` the inbox ends as soon as there is nothing left to read. */
  constructor(
    private readonly folder: string,
    private readonly endWhenEmpty: boolean,
    private readonly log: Log,
  ) {
    this.name = `folder:${folder}`;
  }

  async since(text: string | null, limit: number): Promise<InboxPage> {
    if (this.againFrom !== null) await this.readAgain(this.againFrom);
    if (this.rereading.length > 0) {
      return { rows: this.rereading.splice(0, limit), cursor: text, next: 'more' };
    }
    const cursor = parseCursor(text);
    const taken = [...(await this.moveAway(text))];
    const unmoved = taken.length;
    let part: Cursor['part'] = null;
    const rows: InboxRow[] = [];
    for (const name of await this.fileNames()) {
      if (rows.length >= limit) break;
      const mark = await this.mark(name);
      if (mark === undefined || taken.some((done) => isSame(done, mark))) continue;
      const from = cursor.part !== null && isSame(cursor.part, mark) ? cursor.part.rows : 0;
      const left = (await this.readRows(mark, from === 0)).slice(from);
      const fitting = left.slice(0, limit - rows.length);
      rows.push(...fitting);
      if (fitting.length < left.length) part = { ...mark, rows: from + fitting.length };
      else taken.push(mark);
    }
    const nothingNew = taken.length === unmoved && part === null;
    if (nothingNew) return { rows, cursor: text, next: this.endWhenEmpty ? 'ended' : 'idle' };
    return { rows, cursor: JSON.stringify({ taken, part } satisfies Cursor), next: 'more' };
  }

  async kept(page: InboxPage): Promise<void> {
    await this.moveAway(page.cursor);
  }

  /** A folder is looked at by the clock: file system events are not reliable on a phone's shared storage. */
  onWake(): void {}

  again(fromMs: number): void {
    this.againFrom = fromMs;
  }

  close(): void {}

  private async readAgain(fromMs: number): Promise<void> {
    const rows: InboxRow[] = [];
    for (const name of await this.fileNames(TAKEN)) {
      const mark = await this.mark(join(TAKEN, name));
      if (mark !== undefined) rows.push(...(await this.readRows(mark, false)));
    }
    this.rereading = rows.filter(({ receivedAt }) => receivedAt === null || Date.parse(receivedAt) >= fromMs);
    if (this.againFrom === fromMs) this.againFrom = null;
  }

  private async fileNames(below = ''): Promise<string[]> {
    await mkdir(join(this.folder, TAKEN), { recursive: true });
    const names = await readdir(join(this.folder, below));
    return names.filter((name) => /^[^.].*\.(nd)?json$/.test(name) && name !== HEALTH_FILE).sort();
  }

  /** Undefined when the file is gone, or is no file. */
  private async mark(name: string): Promise<FileMark | undefined> {
    const facts = await ifThere(stat(join(this.folder, name)));
    if (facts?.isFile() !== true) return undefined;
    return { name, stamp: `${facts.ino}:${facts.size}:${facts.mtimeMs}` };
  }

  /** The SMS of one file; what is no SMS in it is named in the log and stays in the moved file. */
  private async readRows(mark: FileMark, report: boolean): Promise<InboxRow[]> {
    const path = join(this.folder, mark.name);
    const facts = await stat(path);
    const items =
      facts.size > MAX_FILE_BYTES ? undefined : parseItems(mark.name, await readFile(path, 'utf8'));
    if (items === undefined && report) this.log.warn('a file holds no SMS as JSON', { file: mark.name });
    const rows: InboxRow[] = [];
    for (const [index, item] of (items ?? []).entries()) {
      const parsed = parseSms(item, `${basename(mark.name)}#${index}`, facts.mtimeMs);
      if (parsed.kind === 'sms') rows.push(parsed.row);
      const fault =
        parsed.kind === 'fault' ? parsed.reason : parsed.timeFault ? 'received_at is unusable' : undefined;
      if (fault !== undefined && report) this.log.warn(fault, { file: mark.name, index });
    }
    return rows;
  }

  /** Moves the files that a cursor names and waits for the disk; returns those that are still there. */
  private async moveAway(text: string | null): Promise<FileMark[]> {
    const left: FileMark[] = [];
    if (text === this.moved) return left;
    for (const mark of parseCursor(text).taken) {
      const there = await this.mark(mark.name);
      if (there === undefined || !isSame(there, mark)) continue;
      await this.move(mark.name).catch((error) => {
        this.log.warn('a file that was taken cannot be moved', { file: mark.name, reason: reasonOf(error) });
        left.push(mark);
      });
    }
    await syncFolder(join(this.folder, TAKEN));
    await syncFolder(this.folder);
    if (left.length === 0) this.moved = text;
    return left;
  }

  private async move(name: string): Promise<void> {
    let target = join(this.folder, TAKEN, name);
    // A writer may reuse a name; the earlier file is kept.
    for (let copy = 2; existsSync(target); copy++) target = join(this.folder, TAKEN, `${copy}-${name}`);
    await rename(join(this.folder, name), target);
  }
}

function isSame(one: FileMark, other: FileMark): boolean {
  return one.name === other.name && one.stamp === other.stamp;
}

/** The items of a file, undefined if it is not JSON. An unreadable line of NDJSON stands as undefined. */
function parseItems(name: string, text: string): unknown[] | undefined {
  if (name.endsWith('.ndjson')) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => parseJson(line));
  }
  const value = parseJson(text);
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value : [value];
}

/** No further check: our own cursor, read from a checked journal. */
function parseCursor(text: string | null): Cursor {
  return text === null ? { taken: [], part: null } : (JSON.parse(text) as Cursor);
}
