/**
 * SQLite's way to files, led to simulated disks: https://www.sqlite.org/vfs.html. The name of a file begins
 * with the number of who opens it, which tells the disk and the process. Time stands still, and what SQLite
 * calls random follows from a seed.
 */
import { Disk, DiskError } from './disk.js';
import { Handle, Process } from './process.js';
import { capi, functions, heap, poke32, sqlite, textAt, wasm } from './wasm.js';

export const VFS_NAME = 'simulated';

const SECTOR_BYTES = 4_096;
const NAME_BYTES = 512;
/** 1970-01-01T00:00Z as SQLite counts days, and milliseconds. */
const EPOCH_DAYS = 2_440_587.5;
const EPOCH_MS = 210_866_760_000_000n;
const UNLOCK_SLOTS = 1;
const EXCLUSIVE_SLOTS = 8;

const JOURNALS = capi.SQLITE_OPEN_MAIN_JOURNAL | capi.SQLITE_OPEN_SUPER_JOURNAL | capi.SQLITE_OPEN_WAL;

const OK = capi.SQLITE_OK;
const DEAD = capi.SQLITE_IOERR;

interface Opener {
  readonly disk: Disk;
  readonly process: Process;
}

const openers = new Map<number, Opener>();
const handles = new Map<number, Handle>();
let lastOpener = 0;
let lastTemporary = 0;
/** Temporary files outlive nobody. */
const TEMPORARY: Opener = { disk: new Disk(() => 0), process: new Process() };

/** @returns the number with a slash that names of the opener's files begin with. */
export function addOpener(opener: Opener): string {
  lastOpener += 1;
  openers.set(lastOpener, opener);
  return `${lastOpener}/`;
}

/** Forgets who opened files with this beginning of their names. */
export function removeOpener(prefix: string): void {
  openers.delete(Number.parseInt(prefix, 10));
}

let randomState = 1;

/** From now on SQLite draws the random numbers of this seed. A run of the simulator begins with it. */
export function seedSqlite(seed: number): void {
  randomState = seed | 0;
  functions.sqlite3_randomness(0, 0);
}

function randomByte(): number {
  randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) | 0;
  return randomState >>> 24;
}

function resolve(pointer: number): (Opener & { readonly name: string }) | null {
  if (pointer === 0) {
    lastTemporary += 1;
    return { ...TEMPORARY, name: `temporary-${lastTemporary}` };
  }
  const path = textAt(pointer);
  const slash = path.indexOf('/');
  const opener = openers.get(Number.parseInt(path.slice(0, slash), 10));
  return opener === undefined ? null : { ...opener, name: path.slice(slash + 1) };
}

/** @returns `failed`, or that the disk is full. Anything but a fault of the disk is a mistake of ours. */
function codeOf(error: unknown, failed: number): number {
  if (!(error instanceof DiskError)) console.error(error);
  return error instanceof DiskError && error.kind === 'full' ? capi.SQLITE_FULL : failed;
}

/** @returns the handle of a living process; null for a dead one. */
function living(pointer: number): Handle | null {
  const handle = handles.get(pointer);
  return handle === undefined || handle.process.isDead ? null : handle;
}

function attempt(pointer: number, failed: number, work: (handle: Handle) => number): number {
  const handle = living(pointer);
  if (handle === null) return DEAD;
  try {
    return work(handle);
  } catch (error) {
    return codeOf(error, failed);
  }
}

const fileMethods = {
  xClose(file: number): number {
    const handle = handles.get(file);
    if (handle === undefined) return OK;
    handles.delete(file);
    handle.close();
    const { isTemporary, process, disk, name } = handle;
    if (isTemporary && !process.isDead && disk.exists(name)) disk.remove(name);
    return OK;
  },
  xRead(file: number, target: number, length: number, at: bigint): number {
    const handle = living(file);
    if (handle === null) return DEAD;
    try {
      const bytes = heap();
      const found = handle.disk.read(handle.name, Number(at), bytes, target, length);
      if (found === length) return OK;
      bytes.fill(0, target + found, target + length);
      return capi.SQLITE_IOERR_SHORT_READ;
    } catch (error) {
      return codeOf(error, capi.SQLITE_IOERR_READ);
    }
  },
  xWrite(file: number, source: number, length: number, at: bigint): number {
    const handle = living(file);
    if (handle === null) return DEAD;
    try {
      handle.disk.write(handle.name, Number(at), heap(), source, length);
      // Who kills the process in the middle of a write ends it here.
      return handle.process.isDead ? DEAD : OK;
    } catch (error) {
      return codeOf(error, capi.SQLITE_IOERR_WRITE);
    }
  },
  xTruncate(file: number, size: bigint): number {
    return attempt(file, capi.SQLITE_IOERR_TRUNCATE, ({ disk, name }) => {
      disk.truncate(name, Number(size));
      return OK;
    });
  },
  xSync(file: number): number {
    return attempt(file, capi.SQLITE_IOERR_FSYNC, (handle) => {
      const { disk, name, process } = handle;
      disk.sync(name);
      if (handle.syncsFolder && !process.isDead) disk.syncFolder();
      handle.syncsFolder = false;
      return process.isDead ? DEAD : OK;
    });
  },
  xFileSize(file: number, out: number): number {
    return attempt(file, capi.SQLITE_IOERR_FSTAT, ({ disk, name }) => {
      poke32(out, disk.size(name));
      poke32(out + 4, 0);
      return OK;
    });
  },
  xFileControl: () => capi.SQLITE_NOTFOUND,
  xSectorSize: () => SECTOR_BYTES,
  xDeviceCharacteristics: () => capi.SQLITE_IOCAP_POWERSAFE_OVERWRITE,
};

const lockMethods = {
  xLock(file: number, wanted: number): number {
    const handle = living(file);
    if (handle === null) return DEAD;
    return handle.shared.lock(handle, wanted) ? OK : capi.SQLITE_BUSY;
  },
  xUnlock(file: number, left: number): number {
    const handle = living(file);
    if (handle === null) return DEAD;
    if (handle.lock > left) handle.lock = left;
    return OK;
  },
  xCheckReservedLock(file: number, out: number): number {
    const handle = living(file);
    if (handle === null) return DEAD;
    poke32(out, handle.shared.isReserved() ? 1 : 0);
    return OK;
  },
  xShmMap(file: number, index: number, bytes: number, isWanted: number, out: number): number {
    return attempt(file, capi.SQLITE_IOERR_SHMMAP, (handle) => {
      poke32(out, handle.shared.map(handle).at(index, bytes, isWanted !== 0));
      return OK;
    });
  },
  xShmLock(file: number, first: number, count: number, flags: number): number {
    const handle = living(file);
    if (handle === null) return DEAD;
    const slots = ((1 << count) - 1) << first;
    if ((flags & UNLOCK_SLOTS) !== 0) {
      handle.sharedSlots &= ~slots;
      handle.exclusiveSlots &= ~slots;
      return OK;
    }
    const isFree = handle.shared.lockSlots(handle, slots, (flags & EXCLUSIVE_SLOTS) !== 0);
    return isFree ? OK : capi.SQLITE_BUSY;
  },
  xShmBarrier() {},
  xShmUnmap(file: number): number {
    const handle = handles.get(file);
    if (handle !== undefined) handle.shared.unmap(handle);
    return OK;
  },
};

const ioMethods = new capi.sqlite3_io_methods();

const systemMethods = {
  xOpen(_vfs: number, path: number, file: number, flags: number, outFlags: number): number {
    poke32(file, 0);
    const found = resolve(path);
    if (found === null || found.process.isDead) return capi.SQLITE_CANTOPEN;
    const { disk, process, name } = found;
    const isNew = !disk.exists(name);
    if (isNew && (flags & capi.SQLITE_OPEN_CREATE) === 0) return capi.SQLITE_CANTOPEN;
    if (isNew) disk.create(name);
    const handle = new Handle(process, disk, name, (flags & capi.SQLITE_OPEN_DELETEONCLOSE) !== 0);
    handle.syncsFolder = (flags & capi.SQLITE_OPEN_CREATE) !== 0 && (flags & JOURNALS) !== 0;
    handles.set(file, handle);
    poke32(file, ioMethods.pointer);
    if (outFlags !== 0) poke32(outFlags, flags);
    return OK;
  },
  xDelete(_vfs: number, path: number, isSynced: number): number {
    const found = resolve(path);
    if (found === null || found.process.isDead) return DEAD;
    if (!found.disk.exists(found.name)) return capi.SQLITE_IOERR_DELETE_NOENT;
    found.disk.remove(found.name);
    if (isSynced !== 0) found.disk.syncFolder();
    return OK;
  },
  xAccess(_vfs: number, path: number, flags: number, out: number): number {
    const found = resolve(path);
    if (found === null || found.process.isDead) return DEAD;
    const { disk, name } = found;
    // SQLite's own on Unix takes an empty file for an absent one, too.
    const isThere = disk.exists(name) && (flags !== capi.SQLITE_ACCESS_EXISTS || disk.size(name) > 0);
    poke32(out, isThere ? 1 : 0);
    return OK;
  },
  xFullPathname(_vfs: number, path: number, room: number, out: number): number {
    const bytes = heap();
    const end = bytes.indexOf(0, path);
    if (end - path >= room) return capi.SQLITE_CANTOPEN;
    bytes.copyWithin(out, path, end + 1);
    return OK;
  },
  xRandomness(_vfs: number, length: number, target: number): number {
    const bytes = heap();
    for (let at = target; at < target + length; at += 1) bytes[at] = randomByte();
    return length;
  },
  xSleep: () => 0,
  xCurrentTime(_vfs: number, out: number): number {
    wasm.poke64f(out, EPOCH_DAYS);
    return OK;
  },
  xCurrentTimeInt64(_vfs: number, out: number): number {
    wasm.poke64(out, EPOCH_MS);
    return OK;
  },
  xGetLastError: () => 0,
};

function install(): void {
  const vfs = new capi.sqlite3_vfs();
  Object.assign(ioMethods, { $iVersion: 2 });
  vfs.$iVersion = 2;
  vfs.$szOsFile = 16;
  vfs.$mxPathname = NAME_BYTES;
  // The types of the package know 64 bits as numbers; they are BigInt.
  const io = { struct: ioMethods, methods: { ...fileMethods, ...lockMethods } } as never;
  // SQLite asks the default one for random numbers.
  const system = { struct: vfs, name: VFS_NAME, asDefault: true, methods: systemMethods } as never;
  sqlite.vfs.installVfs({ io, vfs: system });
}

install();
