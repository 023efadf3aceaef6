/** Delivers each order once. Does not know what an order is. */
import { createHash } from 'node:crypto';
import { access, constants, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { KashboxError } from './errors.js';

/** `delivered` by this call, `repeated`: by an earlier one, `running`: another call delivers now. */
export type Delivery = 'delivered' | 'repeated' | 'running';

/** Remembers which orders were delivered. */
export interface DeliveryStore {
  /**
   * Runs `deliver` if the order was not delivered yet. Of several calls at once, one runs it. If it throws,
   * the order counts as not delivered, and the error is thrown on.
   */
  once(order: string, deliver: () => Promise<void>): Promise<Delivery>;
}

const DELIVERED = 'delivered\n';

/** Keeps one file for each delivered order in a folder that no browser can reach. */
export class FileDeliveryStore implements DeliveryStore {
  /** @param folder exists, and the server may write to it. */
  constructor(private readonly folder: string) {}

  /**
   * A file without the line "delivered" is `running`: another call delivers now, or was killed in the middle.
   * In the latter case check the order, and delete the file to deliver it again.
   */
  async once(order: string, deliver: () => Promise<void>): Promise<Delivery> {
    const path = join(this.folder, createHash('sha256').update(order).digest('hex'));
    let file: Awaited<ReturnType<typeof open>>;
    try {
      // Flag wx creates the file, or fails if it exists: of two calls at once, one delivers.
      file = await open(path, 'wx');
    } catch {
      return this.stateOf(path);
    }
    try {
      try {
        await file.write(`${order}\n`);
        await deliver();
      } catch (error) {
        await unlink(path);
        throw error;
      }
      await file.write(DELIVERED);
    } finally {
      await file.close();
    }
    return 'delivered';
  }

  private async stateOf(path: string): Promise<Delivery> {
    try {
      await access(this.folder, constants.W_OK);
    } catch {
      throw new KashboxError(
        `Cannot write to the folder ${this.folder}: create it, and give it to the user of the server.`,
      );
    }
    const text = await readFile(path, 'utf8').catch(() => '');
    return text.endsWith(`\n${DELIVERED}`) ? 'repeated' : 'running';
  }
}
