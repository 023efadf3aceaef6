/**
 * A write-ahead journal: a record changes the state only once it is on the disk. Records that arrive during a
 * write share the next write and fsync. Knows nothing of SMS.
 */
import { RelayError } from '../errors.js';
import type { DurableFile } from '../ports.js';

export interface JournalState<R> {
  /** Judges a record read from disk; undefined for one that this version does not know. */
  parse(record: unknown): R | undefined;
  apply(record: R): void;
  /** The shortest list of records that leads to the present state. */
  snapshot(): R[];
}

interface Recovery {
  readonly records: number;
  /** Bytes of an unfinished last write that were cut off. */
  readonly tornBytes: number;
  /** Number of damaged or unknown lines; if above 0, the file was set aside. */
  readonly damaged: number;
  readonly setAside: string | null;
}

/** A journal that has been read. */
interface OpenJournal<R, S extends JournalState<R>> {
  readonly state: S;
  readonly journal: Journal<R>;
  readonly recovery: Recovery;
}

interface Pending<R> {
  readonly record: R;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Minimum size of a journal that is compacted. */
const COMPACT_FROM_BYTES = 512 * 1024;
const MAX_GROUP = 500;

/** Replays bytes into a state without touching the file. */
export function replay<R>(bytes: Uint8Array, state: JournalState<R>) {
  const scan = scanLines(bytes);
  const known = scan.records.map((raw) => state.parse(raw)).filter((record) => record !== undefined);
  for (const record of known) state.apply(record);
  const unknown = scan.records.length - known.length;
  return { records: known.length, wholeBytes: scan.wholeBytes, damaged: scan.damaged + unknown };
}

export class Journal<R> {
  private pending: Pending<R>[] = [];
  private flushing: Promise<void> | undefined;
  private size = 0;
  private compactAt: number;
  private broken: Error | undefined;

  private constructor(
    private readonly file: DurableFile,
    private readonly state: JournalState<R>,
    private readonly compactFrom: number,
  ) {
    this.compactAt = compactFrom;
  }

  /**
   * Reads the file into `state` and prepares it for writing. A torn end, which is a last line without a line
   * break, is cut off. A file with a damaged line is set aside unchanged and rewritten from its valid
   * records.
   */
  static async open<R, S extends JournalState<R>>(
    file: DurableFile,
    state: S & JournalState<R>,
    compactFrom = COMPACT_FROM_BYTES,
  ): Promise<OpenJournal<R, S>> {
    const journal = new Journal<R>(file, state, compactFrom);
    const bytes = await file.read();
    const { records, wholeBytes, damaged } = replay(bytes, state);
    journal.size = wholeBytes;
    const tornBytes = bytes.length - wholeBytes;
    const setAside = damaged > 0 ? await file.setAside() : null;
    if (damaged > 0) await journal.compact();
    else if (tornBytes > 0) await file.truncate(wholeBytes);
    return { state, journal, recovery: { records, tornBytes, damaged, setAside } };
  }

  /** Resolves when the record is on the disk and applied to the state. Rejects if it could not be written. */
  append(record: R): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pending.push({ record, resolve, reject });
      this.flushing ??= this.flush();
    });
  }

  async close(): Promise<void> {
    await this.flushing;
    await this.file.close();
  }

  private async flush(): Promise<void> {
    // One turn of the event loop lets the callers of this turn join the first group.
    await Promise.resolve();
    while (this.pending.length > 0) {
      const group = this.pending.splice(0, MAX_GROUP);
      const error = await this.write(group.map((entry) => encodeLine(entry.record)));
      for (const entry of group) {
        if (error !== undefined) {
          entry.reject(error);
          continue;
        }
        this.state.apply(entry.record);
        entry.resolve();
      }
      if (this.size > this.compactAt) await this.compact().catch(() => this.postponeCompaction());
    }
    this.flushing = undefined;
  }

  /**
   * A failed write may have left a part of a line, and a failed fsync leaves it open which bytes are on
   * the disk. Cutting back to the last confirmed size removes exactly the doubtful bytes; if even that
   * fails, nothing more is written.
   */
  private async write(lines: readonly Uint8Array[]): Promise<Error | undefined> {
    if (this.broken !== undefined) return this.broken;
    const bytes = joinLines(lines);
    try {
      await this.file.append(bytes);
      this.size += bytes.length;
      return undefined;
    } catch (error) {
      const failure = new RelayError('storage_failed', undefined, error);
      await this.file.truncate(this.size).catch(() => {
        this.broken = failure;
      });
      return failure;
    }
  }

  private async compact(): Promise<void> {
    const bytes = joinLines(this.state.snapshot().map((record) => encodeLine(record)));
    await this.file.replace(bytes);
    this.size = bytes.length;
    this.compactAt = Math.max(this.compactFrom, 2 * bytes.length);
  }

  /**
   * Postpones compaction that failed, say on a full disk; the present file is intact. Its size is read again:
   * the new file may already have replaced the old one.
   */
  private async postponeCompaction(): Promise<void> {
    try {
      this.size = (await this.file.read()).length;
      this.compactAt = this.size + this.compactFrom;
    } catch (error) {
      this.broken = new RelayError('storage_failed', undefined, error);
    }
  }
}

/** Base class of the stores: a state in memory and the journal from which it is restored. */
export abstract class JournaledStore<R, S extends JournalState<R>> {
  /** Result of opening the file. */
  readonly recovery: Recovery;
  protected readonly state: S;
  protected readonly journal: Journal<R>;

  constructor({ state, journal, recovery }: OpenJournal<R, S>) {
    this.state = state;
    this.journal = journal;
    this.recovery = recovery;
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  /** Counts in memory also when the disk takes no writes. Returns false in that case. */
  protected async keep(record: R): Promise<boolean> {
    return this.journal.append(record).then(
      () => true,
      () => {
        this.state.apply(record);
        return false;
      },
    );
  }
}

const NEWLINE = 0x0a;
const HEADER = /^([0-9a-f]{8}) (\d{1,9}) /;
/** 8 hex digits, a space, up to 9 digits, a space. */
const MAX_HEADER_BYTES = 19;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 (ISO 3309, as in zip and PNG), unsigned. node:zlib has it only since Node 22.2. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

/** One record as one line. JSON never holds a raw line break, so the line break ends the record. */
export function encodeLine(record: unknown): Uint8Array {
  const json = JSON.stringify(record);
  const bytes = encoder.encode(json);
  const checksum = crc32(bytes).toString(16).padStart(8, '0');
  return encoder.encode(`${checksum} ${bytes.length} ${json}\n`);
}

/**
 * Reads every intact line, also between damaged ones. A torn line has no line break: it is written last.
 * @returns the records in order; `wholeBytes`, the end of the last line break (the rest is a torn write that
 * was never acknowledged); and the number of damaged lines before it, including the last, which may have been
 * acknowledged
 */
export function scanLines(bytes: Uint8Array) {
  const records: unknown[] = [];
  let damaged = 0;
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    const payload = checkedPayload(bytes.subarray(start, end));
    start = end + 1;
    if (payload === undefined) damaged += 1;
    else records.push(JSON.parse(payload));
  }
  return { records, wholeBytes: start, damaged };
}

function checkedPayload(line: Uint8Array): string | undefined {
  const [header, checksum = '', length] =
    HEADER.exec(decoder.decode(line.subarray(0, MAX_HEADER_BYTES))) ?? [];
  const json = line.subarray(header?.length ?? 0);
  const isWhole = json.length === Number(length) && crc32(json) === Number.parseInt(checksum, 16);
  return isWhole ? decoder.decode(json) : undefined;
}

/** Several lines as one piece, so that they share one write. */
export function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(lines));
}
