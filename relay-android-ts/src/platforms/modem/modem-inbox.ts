/**
 * The SMS of all modems as one inbox. Each stays where it is until the server has answered for it: after a
 * crash it is read again, under the same id. So there is no position to remember.
 */
import { InboxError, reasonOf } from '../../core/errors.js';
import type { Inbox, InboxPage, InboxRow, Log } from '../../core/ports.js';
import type { Modem, StoredSms } from './modem.js';

/** Where an SMS lies. */
interface Place {
  readonly modem: Modem;
  readonly place: string;
}

const keyOf = ({ modem, place }: Place) => `${modem.slot} ${place}`;

export class ModemInbox implements Inbox {
  readonly name = 'modem';
  private wake: () => void = () => {};
  /** In the queue, or with the server. */
  private readonly taken = new Map<string, Place>();
  /** The places of each message id, until the server has answered for it. */
  private readonly waiting = new Map<string, Place[]>();
  /** The server has them, and their storage could not be emptied. */
  private leftOver: Place[] = [];
  private readonly places = new WeakMap<InboxRow, Place>();
  private readonly told = new Map<number, string>();

  constructor(
    private readonly modems: readonly Modem[],
    private readonly once: boolean,
    private readonly log: Log,
  ) {}

  /** A modem that cannot be read does not hold up the others; its state tells the problem. */
  async since(cursor: string | null, limit: number): Promise<InboxPage> {
    await this.remove(this.leftOver.splice(0));
    const read = await Promise.allSettled(this.modems.map((modem) => this.freshOf(modem)));
    const failed = read.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    const [failure] = failed;
    if (failure !== undefined && failed.length === this.modems.length) throw failure;
    const rows = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const next = rows.length > 0 ? 'more' : this.once ? 'ended' : 'idle';
    return { rows: rows.slice(0, limit), cursor, next };
  }

  async kept({ rows }: InboxPage, ids: readonly string[]): Promise<void> {
    for (const [at, row] of rows.entries()) {
      const place = this.places.get(row);
      const id = ids[at];
      if (place === undefined || id === undefined) continue;
      this.taken.set(keyOf(place), place);
      this.waiting.set(id, [...(this.waiting.get(id) ?? []), place]);
    }
  }

  async delivered(ids: readonly string[]): Promise<void> {
    const places = ids.flatMap((id) => this.waiting.get(id) ?? []);
    for (const id of ids) this.waiting.delete(id);
    await this.remove(places);
  }

  onWake(wake: () => void): void {
    this.wake = wake;
  }

  /** A modem has an SMS. */
  notify(): void {
    this.wake();
  }

  /** What the server has answered for is not there any more; all else is given again. */
  again(): void {
    this.taken.clear();
  }

  close(): void {}

  private async freshOf(modem: Modem): Promise<InboxRow[]> {
    const stored = await modem.list().catch((error: unknown) => this.tell(modem, error));
    this.told.delete(modem.slot);
    const fresh = stored.filter(({ place }) => !this.taken.has(keyOf({ modem, place })));
    return fresh.map((sms) => {
      const row = toRow(modem, sms);
      this.places.set(row, { modem, place: sms.place });
      return row;
    });
  }

  /** Says a new reason once. */
  private tell({ slot }: Modem, error: unknown): never {
    const reason = reasonOf(error);
    if (this.told.get(slot) !== reason) this.log.warn('SMS of a modem cannot be read', { slot, reason });
    this.told.set(slot, reason);
    throw error instanceof InboxError ? error : new InboxError(`modem ${slot} cannot be read`, reason);
  }

  /** What cannot be removed now is removed later. */
  private async remove(places: readonly Place[]): Promise<void> {
    for (const modem of this.modems) {
      const own = places.filter((one) => one.modem === modem);
      if (own.length === 0) continue;
      try {
        await modem.remove(own.map(({ place }) => place));
        for (const place of own) this.taken.delete(keyOf(place));
      } catch (error) {
        this.leftOver.push(...own);
        this.log.warn('SMS that the server has stay in the modem for now', {
          slot: modem.slot,
          reason: reasonOf(error),
        });
      }
    }
  }
}

/** The same SMS to two SIMs is two SMS; delivered twice to one SIM it is one. */
function toRow({ slot }: Modem, { sender, senderType, text, sentAt, smsc }: StoredSms): InboxRow {
  const about = { sender, body: text, receivedAt: sentAt };
  return { key: `modem:${slot}`, ...about, simSlot: slot, smsc, senderType };
}
