/**
 * Which parts of long SMS the server has. gammu stores an SMS once more when it was killed before it removed
 * it from the SIM. A part that comes again without the others would wait for them, come as an SMS of its own,
 * or be joined with parts of another SMS.
 */
import { createHash } from 'node:crypto';
import { Journal, type JournalState } from '../../../core/journal/journal.js';
import { Journaled } from '../../../core/journal/journaled.js';
import type { DurableFile } from '../../../core/ports.js';
import { type Checked, isNumber, isText, knownBy, listOf, oneOf, shape } from '../../../core/shape.js';
import type { BackupPart } from './backup-file.js';

const isRecord = shape({
  t: oneOf('delivered'),
  parts: listOf(isText),
  /** Milliseconds since the Unix epoch. */
  at: isNumber,
});
type DeliveredRecord = Checked<typeof isRecord>;

/** A stick that was pulled out may be put in again days later. */
const KEPT_MS = 7 * 86_400_000;
const ID_LENGTH = 24;

class DeliveredState implements JournalState<DeliveredRecord> {
  /** In the order in which they came: when each was delivered. */
  readonly at = new Map<string, number>();
  readonly parse = knownBy(isRecord);

  apply({ parts, at }: DeliveredRecord): void {
    for (const [id, deliveredAt] of this.at) {
      if (deliveredAt >= at - KEPT_MS) break;
      this.at.delete(id);
    }
    for (const id of parts) this.at.set(id, at);
  }

  snapshot(): DeliveredRecord[] {
    return [...this.at].map(([id, at]) => ({ t: 'delivered', parts: [id], at }));
  }
}

export class DeliveredParts extends Journaled<DeliveredRecord, DeliveredState> {
  static async open(file: DurableFile): Promise<DeliveredParts> {
    return new DeliveredParts(await Journal.open(file, new DeliveredState()));
  }

  /** False for an SMS of one part: a copy of that has its id. */
  has(part: BackupPart): boolean {
    return part.piece !== null && this.state.at.has(idOf(part));
  }

  /** Resolves when it is on the disk, or cannot be: then it counts until the agent ends. */
  async add(parts: readonly BackupPart[], at: number): Promise<void> {
    const ids = parts.filter((part) => part.piece !== null && !this.has(part)).map(idOf);
    if (ids.length > 0) await this.keep({ t: 'delivered', parts: ids, at });
  }
}

/** The same of all copies, and of nothing else. */
function idOf({ sender, time, text, piece }: BackupPart): string {
  const all = JSON.stringify([sender, time, text, piece?.reference, piece?.of, piece?.number]);
  return createHash('sha256').update(all).digest('hex').slice(0, ID_LENGTH);
}
