/**
 * One file of a simulated disk. Readers see what is written last; what a loss of power may take back is known
 * from a list of the changes since the last sync, each with the bytes that it has replaced.
 */

const SECTOR_BYTES = 512;
const FIRST_BYTES = 16_384;
const NOTHING = new Uint8Array(0);

/** What becomes of a part of a change. */
export type Fate = 'kept' | 'lost' | 'torn';

/** Says what becomes of the changes that no sync has brought onto the disk. */
export interface Judge {
  /** Is asked for every sector of a write. */
  sector(): Fate;
  /** Is asked for every truncation: true where it is kept. */
  truncation(): boolean;
  /** @returns how many bytes of `length` are new in a torn sector, and whether these are its first. */
  tear(length: number): { readonly bytes: number; readonly isFirst: boolean };
}

/** Keeps nothing of what is not synced. */
export const LOSE_ALL: Judge = {
  sector: () => 'lost',
  truncation: () => false,
  tear: () => ({ bytes: 0, isFirst: true }),
};

interface Change {
  readonly isTruncation: boolean;
  /** Where a write begins, or the size after a truncation; in bytes. */
  readonly at: number;
  readonly length: number;
  readonly sizeBefore: number;
  /** Where the bytes that it has replaced begin in the list of them. */
  readonly undoAt: number;
}

export class DiskFile {
  size: number;
  private changes: Change[] = [];
  /** By its number, what stands on the disk of a sector which a failed sync has not brought there. */
  private readonly dropped = new Map<number, Uint8Array>();
  private undo = NOTHING;
  private undoSize = 0;

  /**
   * @param bytes all that stands in the file; another may have them too, so they are copied before a change
   * @param isNamed true where its name is on the disk
   */
  constructor(
    private bytes: Uint8Array = NOTHING,
    public isNamed = false,
    private isShared = true,
  ) {
    this.size = bytes.length;
  }

  /** @returns how many bytes are read into `target`, from its byte `start` on: fewer at the file's end. */
  read(at: number, target: Uint8Array, start: number, length: number): number {
    const found = Math.min(length, this.size - at);
    if (found <= 0) return 0;
    target.set(this.bytes.subarray(at, at + found), start);
    return found;
  }

  /** Writes `length` bytes of `source`, from its byte `start` on; a gap behind the old end is zero. */
  write(at: number, source: Uint8Array, start: number, length: number): void {
    const end = at + length;
    this.reserve(end);
    this.note(false, at, length, Math.min(end, this.size));
    this.bytes.set(source.subarray(start, start + length), at);
    if (end > this.size) this.size = end;
  }

  truncate(size: number): void {
    if (size === this.size) return;
    this.reserve(size);
    this.note(true, size, 0, this.size);
    if (size < this.size) this.bytes.fill(0, size, this.size);
    this.size = size;
  }

  /** All that is pending is durable from now on. */
  sync(): void {
    if (this.changes.length === 0) return;
    if (this.dropped.size > 0) {
      for (const change of this.changes) for (const sector of sectorsOf(change)) this.dropped.delete(sector);
    }
    this.changes = [];
    this.undoSize = 0;
  }

  /**
   * What is pending stays visible, and no later sync makes it durable: only what is written once more. The
   * judge says what of it has come onto the disk all the same.
   */
  drop(judge: Judge): void {
    const settled = this.settled(judge);
    for (const sector of this.changes.flatMap(sectorsOf)) {
      this.dropped.set(sector, settled.slice(sector * SECTOR_BYTES, (sector + 1) * SECTOR_BYTES));
    }
    this.changes = [];
    this.undoSize = 0;
  }

  /** @returns what stands on the disk where `judge` decides what is left of all that is not durable. */
  settled(judge: Judge): Uint8Array {
    if (this.changes.length === 0 && this.dropped.size === 0) {
      this.isShared = true;
      return this.bytes.subarray(0, this.size);
    }
    const room = this.changes.reduce((most, { sizeBefore }) => Math.max(most, sizeBefore), this.size);
    const work = new Uint8Array(room);
    work.set(this.bytes.subarray(0, this.size));
    const written = this.takeBack(work);
    for (const [sector, bytes] of this.dropped) putInto(work, sector * SECTOR_BYTES, bytes);
    let size = this.changes[0]?.sizeBefore ?? this.size;
    for (const [index, change] of this.changes.entries()) {
      if (change.isTruncation) {
        if (!judge.truncation()) continue;
        if (change.at < size) work.fill(0, change.at, size);
        size = change.at;
      } else {
        const end = apply(work, change, written[index] ?? NOTHING, judge);
        if (end > size) size = end;
      }
    }
    return work.subarray(0, size);
  }

  /** Undoes all changes in `work`. @returns what each of them has written. */
  private takeBack(work: Uint8Array): Uint8Array[] {
    const written: Uint8Array[] = [];
    for (let index = this.changes.length - 1; index >= 0; index -= 1) {
      const change = this.changes[index];
      if (change === undefined) continue;
      const { isTruncation, at, length, sizeBefore, undoAt } = change;
      written[index] = isTruncation ? NOTHING : work.slice(at, at + length);
      const end = isTruncation ? sizeBefore : Math.min(at + length, sizeBefore);
      if (at + length > sizeBefore) work.fill(0, sizeBefore, at + length);
      if (end > at) work.set(this.undo.subarray(undoAt, undoAt + end - at), at);
    }
    return written;
  }

  /** Notes a change, and what stands from `at` to `replacedEnd`. */
  private note(isTruncation: boolean, at: number, length: number, replacedEnd: number): void {
    const undoAt = this.undoSize;
    this.changes.push({ isTruncation, at, length, sizeBefore: this.size, undoAt });
    const replaced = replacedEnd - at;
    if (replaced <= 0) return;
    this.undoSize = undoAt + replaced;
    if (this.undoSize > this.undo.length) this.undo = grown(this.undo, undoAt, this.undoSize);
    this.undo.set(this.bytes.subarray(at, replacedEnd), undoAt);
  }

  private reserve(size: number): void {
    if (!this.isShared && size <= this.bytes.length) return;
    this.bytes = grown(this.bytes, this.size, Math.max(size, this.size));
    this.isShared = false;
  }
}

/** @returns the numbers of the sectors that a write touches; of a truncation none. */
function sectorsOf({ isTruncation, at, length }: Change): number[] {
  if (isTruncation || length === 0) return [];
  const first = Math.floor(at / SECTOR_BYTES);
  const last = Math.floor((at + length - 1) / SECTOR_BYTES);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Puts bytes into `work` as far as it reaches. */
function putInto(work: Uint8Array, at: number, bytes: Uint8Array): void {
  if (at < work.length) work.set(bytes.subarray(0, work.length - at), at);
}

/** @returns a copy of the first `size` bytes with room for `wanted`, and for more to come. */
function grown(bytes: Uint8Array, size: number, wanted: number): Uint8Array<ArrayBuffer> {
  const room = wanted > bytes.length ? Math.max(FIRST_BYTES, wanted + (wanted >> 1)) : bytes.length;
  const copy = new Uint8Array(room);
  copy.set(bytes.subarray(0, size));
  return copy;
}

/** @returns the end of what is left of a write, in bytes from the beginning of the file. */
function apply(work: Uint8Array, change: Change, written: Uint8Array, judge: Judge): number {
  const { at, length } = change;
  let last = 0;
  for (let from = at; from < at + length; ) {
    const to = Math.min(at + length, from - (from % SECTOR_BYTES) + SECTOR_BYTES);
    const [first, end] = survivingPart(from, to, judge);
    if (end > first) {
      work.set(written.subarray(first - at, end - at), first);
      last = end;
    }
    from = to;
  }
  return last;
}

/** @returns the part that is new of a sector, from one byte of the file to before another. */
function survivingPart(from: number, to: number, judge: Judge): readonly [first: number, end: number] {
  const fate = judge.sector();
  if (fate === 'kept') return [from, to];
  if (fate === 'lost') return [from, from];
  const { bytes, isFirst } = judge.tear(to - from);
  return isFirst ? [from, from + bytes] : [to - bytes, to];
}
