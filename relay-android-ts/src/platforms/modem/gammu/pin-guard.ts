/** Three wrong tries block a SIM: a PIN that was refused is not tried again, by later runs neither. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { textIfThere, writeFileDurably } from '../../../ports/node-files.js';

export class PinGuard {
  isRefused = false;
  private readonly file: string;

  constructor(
    folder: string,
    private readonly pin: string | null,
  ) {
    this.file = join(folder, 'wrong-pin');
  }

  /** Takes what an earlier run has learned. */
  async load(): Promise<void> {
    const refused = await textIfThere(this.file);
    if (this.pin !== null && refused === digest(this.pin)) this.isRefused = true;
  }

  refuse(): void {
    this.isRefused = true;
    void writeFileDurably(this.file, digest(this.pin ?? '')).catch(() => {});
  }
}

function digest(pin: string): string {
  return createHash('sha256').update(`kashbox modem ${pin}`).digest('hex');
}
