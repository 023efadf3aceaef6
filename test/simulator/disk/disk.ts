/**
 * A disk in memory whose power can be cut. It knows files by name and nothing of what stands in them. What is
 * written is seen at once, and is durable once its file is synced.
 */
import { DiskFile, type Judge, LOSE_ALL } from './disk-file.js';

/** All that stands durably on a disk: the bytes of each file by its name. Nobody may change them. */
export type Image = ReadonlyMap<string, Uint8Array>;
/** @returns a number from 0 to below 1. */
export type Chance = () => number;
export type DiskOperation = 'read' | 'write' | 'sync';
export type FaultKind = 'none' | 'error' | 'full';

const CODES = { error: 'EIO', full: 'ENOSPC', missing: 'ENOENT' } as const;

/** Is thrown where the disk refuses; `code` is that of the operating system. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly code: 'EIO' | 'ENOSPC' | 'ENOENT';

  constructor(
    readonly kind: keyof typeof CODES,
    operation: string,
    file: string,
  ) {
    super(`${CODES[kind]}: ${operation} '${file}'`);
    this.code = CODES[kind];
  }
}

/** One sector in so many is torn when the power is cut. */
const TORN_OF = 8;
/** A file whose name is not on the disk is missing or empty this often. */
const MISSING = 1 / 3;
const EMPTY = 1 / 3;
const UNDONE_REMOVAL = 1 / 2;

export class Disk {
  /** Is asked before each operation; what it says but `none` makes the operation fail. */
  fault: (operation: DiskOperation, file: string) => FaultKind = () => 'none';
  /** True where a sync reports success and does nothing, as a disk does that lies about its cache. */
  isSyncIgnored = false;
  private files = new Map<string, DiskFile>();
  /** Files that are removed, but not on the disk yet. */
  private removed = new Map<string, DiskFile>();

  /** @param chance the only source of what happens by chance */
  constructor(private readonly chance: Chance) {}

  /** @returns a disk on which `image` stands. Its bytes are copied when a file is first changed. */
  static of(image: Image, chance: Chance): Disk {
    const disk = new Disk(chance);
    disk.restore(image);
    return disk;
  }

  /** @returns what a loss of power leaves at least: what is not synced is not in it. */
  image(): Image {
    const image = new Map<string, Uint8Array>();
    for (const [name, file] of this.removed) image.set(name, file.settled(LOSE_ALL));
    for (const [name, file] of this.files) if (file.isNamed) image.set(name, file.settled(LOSE_ALL));
    return image;
  }

  /**
   * Takes away, by chance, of all that is not durable: each sector of each write is kept, lost or torn. What
   * is left is durable. Processes that use the disk must be killed: they hold what no longer stands there.
   */
  cutPower(): void {
    const judge = this.judge();
    const left = new Map<string, Uint8Array>();
    for (const [name, file] of this.files) {
      if (file.isNamed) {
        left.set(name, file.settled(judge));
        continue;
      }
      const drawn = this.chance();
      if (drawn < MISSING) continue;
      left.set(name, drawn < MISSING + EMPTY ? new Uint8Array(0) : file.settled(judge));
    }
    for (const [name, file] of this.removed) {
      if (!left.has(name) && this.chance() < UNDONE_REMOVAL) left.set(name, file.settled(judge));
    }
    this.restore(left);
  }

  exists(name: string): boolean {
    return this.files.has(name);
  }

  /** Makes an empty file where there is none. */
  create(name: string): void {
    if (!this.files.has(name)) this.files.set(name, new DiskFile());
  }

  /** @returns the size in bytes */
  size(name: string): number {
    return this.file(name, 'size').size;
  }

  /**
   * Reads `length` bytes from byte `at` of the file into `target`, from its byte `start` on.
   * @returns how many bytes it has read: fewer at the end of the file
   */
  read(name: string, at: number, target: Uint8Array, start = 0, length = target.length - start): number {
    const file = this.file(name, 'read');
    this.meetFault('read', name);
    return file.read(at, target, start, length);
  }

  /**
   * Writes `length` bytes of `source`, from its byte `start` on, at byte `at` of the file. One that fails may
   * have written its first bytes.
   */
  write(name: string, at: number, source: Uint8Array, start = 0, length = source.length - start): void {
    const file = this.file(name, 'write');
    const kind = this.fault('write', name);
    if (kind !== 'none') {
      const part = Math.floor(this.chance() * length);
      if (part > 0) file.write(at, source, start, part);
      throw new DiskError(kind, 'write', name);
    }
    file.write(at, source, start, length);
  }

  /** @param size in bytes; what is new is zero */
  truncate(name: string, size: number): void {
    const file = this.file(name, 'truncate');
    this.meetFault('write', name);
    file.truncate(size);
  }

  /**
   * Makes durable what is written to the file, and not its name, of which POSIX says nothing. After one that
   * fails, what was pending then stays visible, and a loss of power may take it even where a later sync
   * succeeds.
   */
  sync(name: string): void {
    const file = this.file(name, 'sync');
    if (this.isSyncIgnored) return;
    const kind = this.fault('sync', name);
    if (kind !== 'none') {
      file.drop(this.judge());
      throw new DiskError(kind, 'sync', name);
    }
    file.sync();
  }

  /** Removes the file. Until `syncFolder` a loss of power may bring back what was durable of it. */
  remove(name: string): void {
    const file = this.file(name, 'remove');
    this.files.delete(name);
    if (file.isNamed) this.removed.set(name, file);
  }

  /** Makes durable which files there are. */
  syncFolder(): void {
    if (this.isSyncIgnored) return;
    this.removed.clear();
    for (const file of this.files.values()) file.isNamed = true;
  }

  private file(name: string, operation: string): DiskFile {
    const file = this.files.get(name);
    if (file === undefined) throw new DiskError('missing', operation, name);
    return file;
  }

  private meetFault(operation: DiskOperation, name: string): void {
    const kind = this.fault(operation, name);
    if (kind !== 'none') throw new DiskError(kind, operation, name);
  }

  private restore(image: Image): void {
    this.files = new Map([...image].map(([name, bytes]) => [name, new DiskFile(bytes, true)]));
    this.removed = new Map();
  }

  /** Some cuts keep nearly all, others nearly nothing: states of both kinds are of interest. */
  private judge(): Judge {
    const { chance } = this;
    const kept = chance();
    return {
      sector() {
        const drawn = chance();
        if (chance() * TORN_OF < 1) return 'torn';
        return drawn < kept ? 'kept' : 'lost';
      },
      truncation: () => chance() < kept,
      tear: (length) => ({ bytes: Math.floor(chance() * length), isFirst: chance() < 0.5 }),
    };
  }
}
