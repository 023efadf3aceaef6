/**
 * What handles to one file share, as the operating system keeps it for real ones: locks and shared memory.
 * https://www.sqlite.org/lockingv3.html and https://www.sqlite.org/walformat.html#wal_locks
 */
import type { Disk } from './disk.js';
import { heap, wasm } from './wasm.js';

export const NO_LOCK = 0;
export const SHARED = 1;
export const RESERVED = 2;
export const PENDING = 3;
export const EXCLUSIVE = 4;

/** Shared memory. It is freed with its last user, and a user that is dead has its pointers still. */
export class Regions {
  readonly pointers: number[] = [];
  users = 0;
  private readonly sizes: number[] = [];

  /** @returns the pointer of a region; 0 where it is not there and `isWanted` is false. */
  at(index: number, bytes: number, isWanted: boolean): number {
    const known = this.pointers[index];
    if (known !== undefined) return known;
    if (!isWanted) return 0;
    for (let next = this.pointers.length; next <= index; next += 1) {
      const pointer = wasm.alloc(bytes);
      heap().fill(0, pointer, pointer + bytes);
      this.pointers.push(pointer);
      this.sizes.push(bytes);
    }
    return this.pointers[index] ?? 0;
  }

  /** @returns how to make all of it again as it is now. */
  remembered(): () => void {
    const copies = this.pointers.map((pointer, index) =>
      heap().slice(pointer, pointer + (this.sizes[index] ?? 0)),
    );
    return () => {
      for (const [index, copy] of copies.entries()) heap().set(copy, this.pointers[index]);
    };
  }

  leave(): void {
    this.users -= 1;
    if (this.users > 0) return;
    for (const pointer of this.pointers) wasm.dealloc(pointer);
    this.pointers.length = 0;
  }
}

/** A handle of a living or dead process. */
export interface Locker {
  lock: number;
  /** Slots of the shared memory's locks, one bit each. */
  sharedSlots: number;
  exclusiveSlots: number;
  regions: Regions | null;
}

export class SharedFile {
  private static readonly known = new WeakMap<Disk, Map<string, SharedFile>>();
  /** The handles of living processes. */
  private readonly lockers: Locker[] = [];
  private regions: Regions | null = null;

  private constructor(
    private readonly siblings: Map<string, SharedFile>,
    private readonly name: string,
  ) {}

  static of(disk: Disk, name: string): SharedFile {
    const files = SharedFile.known.get(disk) ?? new Map<string, SharedFile>();
    SharedFile.known.set(disk, files);
    const file = files.get(name) ?? new SharedFile(files, name);
    files.set(name, file);
    return file;
  }

  join(locker: Locker): void {
    this.lockers.push(locker);
  }

  /** Frees all that the locker holds, but for the memory that it still has pointers of. */
  leave(locker: Locker): void {
    const at = this.lockers.indexOf(locker);
    if (at < 0) return;
    this.lockers.splice(at, 1);
    locker.lock = NO_LOCK;
    locker.sharedSlots = 0;
    locker.exclusiveSlots = 0;
    this.dropUnused();
    if (this.lockers.length === 0) this.siblings.delete(this.name);
  }

  /** @returns false where another has what excludes it. An exclusive lock may stay pending then. */
  lock(locker: Locker, wanted: number): boolean {
    if (locker.lock >= wanted) return true;
    const highest = this.highestOfOthers(locker);
    if (wanted === SHARED) {
      if (highest >= PENDING) return false;
    } else if (highest >= RESERVED) return false;
    if (wanted === EXCLUSIVE && highest >= SHARED) {
      locker.lock = PENDING;
      return false;
    }
    locker.lock = wanted;
    return true;
  }

  isReserved(): boolean {
    return this.lockers.some(({ lock }) => lock >= RESERVED);
  }

  /** @param slots one bit each. @returns false where another has what excludes it. */
  lockSlots(locker: Locker, slots: number, isExclusive: boolean): boolean {
    for (const other of this.lockers) {
      if (other === locker) continue;
      const excluding = isExclusive ? other.exclusiveSlots | other.sharedSlots : other.exclusiveSlots;
      if ((excluding & slots) !== 0) return false;
    }
    if (isExclusive) locker.exclusiveSlots |= slots;
    else locker.sharedSlots |= slots;
    return true;
  }

  /** @returns the memory that all living handles of the file share. */
  map(locker: Locker): Regions {
    if (locker.regions !== null) return locker.regions;
    this.regions ??= new Regions();
    this.regions.users += 1;
    locker.regions = this.regions;
    return this.regions;
  }

  unmap(locker: Locker): void {
    const { regions } = locker;
    if (regions === null) return;
    locker.regions = null;
    this.dropUnused();
    regions.leave();
  }

  /** @returns the memory of a locker that a living one shares; else null. */
  livingRegions(locker: Locker): Regions | null {
    return locker.regions === this.regions ? this.regions : null;
  }

  /** Who opens the file next begins with empty memory, as after the end of every process that had it. */
  private dropUnused(): void {
    if (!this.lockers.some(({ regions }) => regions !== null && regions === this.regions)) {
      this.regions = null;
    }
  }

  private highestOfOthers(locker: Locker): number {
    let highest = NO_LOCK;
    for (const other of this.lockers) if (other !== locker && other.lock > highest) highest = other.lock;
    return highest;
  }
}
