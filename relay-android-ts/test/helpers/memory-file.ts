/** A durable file in memory whose disk can be told to fail. */
import type { DurableFile } from '../../src/core/ports.js';

export class MemoryFile implements DurableFile {
  bytes: Uint8Array = new Uint8Array();
  /** Copies made of the file as it was found. */
  readonly copies: Uint8Array[] = [];
  /** How many times bytes were appended, each with its own fsync. */
  appends = 0;
  replaces = 0;
  /** Set to let the next appends fail after this many bytes have reached the file. */
  failAppendAfter: number | undefined;
  failTruncate = false;

  async read(): Promise<Uint8Array> {
    return this.bytes.slice();
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.appends += 1;
    const written = this.failAppendAfter === undefined ? bytes : bytes.subarray(0, this.failAppendAfter);
    const whole = new Uint8Array(this.bytes.length + written.length);
    whole.set(this.bytes);
    whole.set(written, this.bytes.length);
    this.bytes = whole;
    if (this.failAppendAfter !== undefined) throw new Error('ENOSPC: no space left on device');
  }

  async truncate(size: number): Promise<void> {
    if (this.failTruncate) throw new Error('EIO: i/o error');
    this.bytes = this.bytes.slice(0, size);
  }

  async replace(bytes: Uint8Array): Promise<void> {
    this.replaces += 1;
    this.bytes = bytes.slice();
  }

  async setAside(): Promise<string> {
    this.copies.push(this.bytes.slice());
    return 'a copy';
  }

  async close(): Promise<void> {}
}
