/**
 * The folder of what gammu or this agent cannot read, for a person to look at. An SMS in it may be a payment,
 * so that it is told until somebody has moved it away.
 */
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, syncFolder, writeFileDurably } from '../../../ports/node-files.js';

/**
 * `half` was not written to its end: it is still in the modem, and comes again. `dialled` is an answer of the
 * network to a code, and no SMS. Neither is told.
 */
export type Oddity = 'half' | 'dialled' | 'sms' | 'pdu';

const TOLD = /-(sms|pdu)$/;

export class Unreadable {
  constructor(private readonly path: string) {}

  /** Moves a file here. False if it is not there any more. */
  async move(file: string, name: string, what: Oddity): Promise<boolean> {
    try {
      await rename(file, join(this.path, `${name}-${what}`));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    }
    await syncFolder(this.path);
    return true;
  }

  /** Resolves when it is on the disk. */
  put(name: string, content: Uint8Array | string, what: Oddity): Promise<void> {
    return writeFileDurably(join(this.path, `${name}-${what}`), content);
  }

  /** In one line; null where there is nothing to look at. */
  async problem(): Promise<string | null> {
    const names = await readdir(this.path).catch(() => []);
    const count = names.filter((name) => TOLD.test(name)).length;
    if (count === 0) return null;
    return `${count} SMS that cannot be read: look into ${this.path}, then move the files away`;
  }
}
