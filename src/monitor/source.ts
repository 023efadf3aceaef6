/** Where a dashboard reads from, whether a store of this machine or a daemon of another one. */
import type { PanelId } from './panel.js';
import type { Snapshot } from './snapshot.js';

export interface Source {
  /** What the header says of it. */
  readonly name: string;
  /** Milliseconds from one reading to the next. */
  readonly everyMs: number;
  /** @throws KashboxError whose message says plainly what is wrong */
  read(): Promise<Snapshot>;
  /**
   * All that is known of one thing, where that is more than the panel has read.
   * @returns null where there is no more. @throws KashboxError
   */
  details(panel: PanelId, key: string): Promise<object | null>;
  close(): Promise<void>;
}
