/**
 * The SMS of all modems as one inbox. Each SMS stays in its storage until the server has answered for it:
 * after a crash it is read again with the same id. So there is no cursor to store.
 */
import { errorMessage, InboxError } from '../../core/errors.js';
import type { Clock, Inbox, InboxPage, InboxRow, Log } from '../../core/ports.js';
import { withinTime } from '../../core/time/pump.js';
import type { Modem, ModemSms } from './modem.js';

interface SmsPlace {
  readonly modem: Modem;
  readonly place: string;
}

/** SMS of a modem, or the error of reading them. */
type Reading = { readonly stored: readonly ModemSms[] } | { readonly failure: unknown };

/** Maximum time that one modem may delay the others. */
const PATIENCE_MS = 2000;

const keyOf = ({ modem, place }: SmsPlace) => `${modem.slot} ${place}`;

export class ModemInbox implements Inbox {
  readonly name = 'modem';
  private wake: () => void = () => {};
  /** SMS that are in the queue or with the server. */
  private readonly taken = new Map<string, SmsPlace>();
  /** The places of each message id, until the server has answered for it. */
  private readonly waiting = new Map<string, SmsPlace[]>();
  /** The server has them, and their storage could not be emptied. */
  private leftOver: SmsPlace[] = [];
  private clearing: Promise<void> | null = null;
  /** Readings in progress; one may take long. */
  private readonly readings = new Map<Modem, Promise<Reading>>();
  private readonly places = new WeakMap<InboxRow, SmsPlace>();
  private readonly told = new Map<number, string>();
  /** Slots for which it was logged that their storage cannot be emptied. */
  private readonly full = new Set<number>();

  constructor(
    private readonly modems: readonly Modem[],
    private readonly once: boolean,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Reads all modems. A modem that cannot be read does not delay the others; its state reports the problem.
   * SMS of a slow modem are returned with a later page. Rejects only if every modem has failed.
   */
  async since(cursor: string | null, limit: number): Promise<InboxPage> {
    this.clearing ??= this.remove(this.leftOver.splice(0)).then(() => {
      this.clearing = null;
    });
    const read = await this.readAll();
    const failed = read.flatMap(({ reading }) => ('failure' in reading ? [reading.failure] : []));
    if (failed.length === this.modems.length) throw failed[0];
    const rows = read.flatMap(({ modem, reading }) =>
      'stored' in reading ? this.freshOf(modem, reading.stored) : [],
    );
    const next = rows.length > 0 ? 'more' : this.once ? 'ended' : 'idle';
    return { rows: rows.slice(0, limit), cursor, next };
  }

  async kept({ rows }: InboxPage, ids: readonly string[]): Promise<void> {
    for (const [at, row] of rows.entries()) {
      const place = this.places.get(row);
      const id = ids[at];
      if (place === undefined || id === undefined) continue;
      this.taken.set(keyOf(place), place);
      const others = (this.waiting.get(id) ?? []).filter((one) => keyOf(one) !== keyOf(place));
      this.waiting.set(id, [...others, place]);
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

  /** Returns all stored SMS again; those that the server has answered for are no longer stored. */
  again(): void {
    this.taken.clear();
  }

  close(): void {}

  /** Readings that ended in time; with `once` it waits for all, because there is no later reading. */
  private async readAll(): Promise<readonly { readonly modem: Modem; readonly reading: Reading }[]> {
    const readings = this.modems.map((modem) => {
      const reading = this.readings.get(modem) ?? this.read(modem);
      this.readings.set(modem, reading);
      return { modem, reading };
    });
    const all = Promise.all(readings.map(({ reading }) => reading)).then(() => {});
    await (this.once ? all : withinTime(this.clock, all, PATIENCE_MS));
    const ended = [];
    for (const { modem, reading } of readings) {
      const result = await Promise.race([reading, null]);
      if (result === null) continue;
      this.readings.delete(modem);
      ended.push({ modem, reading: result });
    }
    return ended;
  }

  private async read(modem: Modem): Promise<Reading> {
    try {
      const stored = await modem.list();
      this.told.delete(modem.slot);
      return { stored };
    } catch (error) {
      return { failure: this.tell(modem, error) };
    }
  }

  private freshOf(modem: Modem, stored: readonly ModemSms[]): InboxRow[] {
    const fresh = stored.filter(({ place }) => !this.taken.has(keyOf({ modem, place })));
    return fresh.map((sms) => {
      const row = toRow(modem, sms);
      this.places.set(row, { modem, place: sms.place });
      return row;
    });
  }

  /** Says a new reason once. */
  private tell({ slot }: Modem, error: unknown): InboxError {
    const reason = errorMessage(error);
    if (this.told.get(slot) !== reason) this.log.warn('SMS of a modem cannot be read', { slot, reason });
    this.told.set(slot, reason);
    return error instanceof InboxError ? error : new InboxError(`modem ${slot} cannot be read`, reason);
  }

  /** Removes SMS; those that cannot be removed now are tried again later. */
  private async remove(places: readonly SmsPlace[]): Promise<void> {
    for (const modem of this.modems) {
      const own = places.filter((one) => one.modem === modem);
      if (own.length === 0) continue;
      try {
        await modem.remove(own.map(({ place }) => place));
        for (const place of own) this.taken.delete(keyOf(place));
        this.full.delete(modem.slot);
      } catch (error) {
        this.leftOver.push(...own);
        const facts = { slot: modem.slot, reason: errorMessage(error) };
        if (!this.full.has(modem.slot))
          this.log.warn('SMS that the server has stay in the modem for now', facts);
        this.full.add(modem.slot);
      }
    }
  }
}

/** Converts an SMS. The slot is part of the key: equal SMS on two SIMs are two, on one SIM they are one. */
function toRow({ slot }: Modem, { sender, senderType, text, sentAt, smsc }: ModemSms): InboxRow {
  const about = { sender, body: text, receivedAt: sentAt };
  return { key: `modem:${slot}`, ...about, simSlot: slot, smsc, senderType };
}
