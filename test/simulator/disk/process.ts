/** A process of the simulation as the disk knows it: the files that it has open, and its connections. */
import type { Disk } from './disk.js';
import { type Locker, NO_LOCK, type Regions, SharedFile } from './locks.js';

/** A file that a process has open. */
export class Handle implements Locker {
  lock = NO_LOCK;
  sharedSlots = 0;
  exclusiveSlots = 0;
  regions: Regions | null = null;
  readonly shared: SharedFile;
  /** True for a journal or log until its first sync, which is one of the folder too, as on Unix. */
  syncsFolder = false;

  constructor(
    readonly process: Process,
    readonly disk: Disk,
    readonly name: string,
    readonly isTemporary: boolean,
  ) {
    this.shared = SharedFile.of(disk, name);
    this.shared.join(this);
    process.handles.add(this);
  }

  close(): void {
    this.shared.unmap(this);
    this.shared.leave(this);
    this.process.handles.delete(this);
  }
}

export class Process {
  isDead = false;
  readonly handles = new Set<Handle>();
  /** Each frees what a connection has in SQLite's memory. */
  readonly connections = new Set<{ free(): void }>();

  /** Ends it at once: nothing is flushed, its locks are free, and whatever it does from now on fails. */
  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const handle of this.handles) handle.shared.leave(handle);
  }

  /**
   * Kills it and frees what it has in SQLite's memory. It must not be called from inside of SQLite, thus not
   * from `Disk.fault`. What SQLite writes then into memory that others share is taken back.
   */
  dispose(): void {
    this.kill();
    const living = new Set<Regions>();
    for (const handle of this.handles) {
      const regions = handle.shared.livingRegions(handle);
      if (regions !== null) living.add(regions);
    }
    const restores = [...living].map((regions) => regions.remembered());
    for (const connection of [...this.connections]) connection.free();
    for (const restore of restores) restore();
  }
}
