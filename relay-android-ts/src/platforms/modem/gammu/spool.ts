/** The SMS and delivery reports that gammu has stored, each in a file of its own. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { InboxError, reasonOf } from '../../../core/errors.js';
import { Journal, Journaled, type JournalState } from '../../../core/journal/journal.js';
import {
  type Clock,
  type DurableFile,
  isSenderType,
  type Log,
  type SenderType,
} from '../../../core/ports.js';
import {
  type Checked,
  fieldsOf,
  isNumber,
  isText,
  knownBy,
  listOf,
  oneOf,
  parseJson,
  shape,
} from '../../../core/shape.js';
import {
  hasCode,
  ifThere,
  NodeDurableFile,
  syncFolder,
  textIfThere,
  writeFileDurably,
} from '../../../ports/node-files.js';
import { type DeliveryReport, type StoredSms, timeOf } from '../modem.js';
import { type BackupPart, readBackup } from './backup-file.js';
import { type GammuFolder, makeRoomFor, type Oddity, type Unreadable } from './gammu-folder.js';
import { type Assembly, clockOf, type FiledPart, joinParts } from './join-parts.js';
import { factsKey, type PduFacts, typeOfSender } from './pdu-facts.js';

/** What is kept beside a file, so that it is read the same every time. */
interface Facts {
  /** Minutes ahead of UTC. */
  readonly zone: number;
  readonly sender: string;
  readonly senderType: SenderType;
}

const FACTS = '.facts';
/** PDUs of the log that are remembered; a SIM holds fewer SMS. */
const MAX_REMEMBERED = 1000;
const NS_PER_MS = 1_000_000n;
const BETWEEN_PLACES = '+';
const FRESH_MS = 2000;
const LOG_WITHIN_MS = 200;

export class Spool {
  private readonly remembered = new Map<string, PduFacts>();
  /** Files that were read; they never change. */
  private readonly known = new Map<string, readonly BackupPart[]>();
  private readonly facts = new Map<string, Facts>();
  /** The parts of each SMS that was given, by its place. */
  private readonly given = new Map<string, readonly BackupPart[]>();
  private delivered: DeliveredParts | undefined;
  private lastZone: number | undefined;
  private zoneKept: Promise<void> = Promise.resolve();

  /** `waitMs` is how long the parts of a long SMS wait for each other. */
  constructor(
    private readonly folder: GammuFolder,
    private readonly unreadable: Unreadable,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly waitMs: number,
  ) {}

  private get path(): string {
    return this.folder.of('spool');
  }

  private get zoneFile(): string {
    return join(this.folder.path, 'zone');
  }

  /** Takes what an earlier run has learned, and removes what it has left beside SMS when it was killed. */
  async load(): Promise<void> {
    const names = await readdir(this.path);
    const isLeft = (name: string): boolean =>
      name.endsWith('.new') || (name.endsWith(FACTS) && !names.includes(name.slice(0, -FACTS.length)));
    for (const name of names.filter(isLeft)) await unlink(join(this.path, name));
    const zone = await textIfThere(this.zoneFile);
    if (zone !== undefined && /^-?\d{1,3}$/.test(zone)) this.lastZone = Number(zone);
    this.delivered ??= await DeliveredParts.open(new NodeDurableFile(this.folder.deliveredParts));
  }

  async close(): Promise<void> {
    await this.delivered?.close();
  }

  /**
   * Takes what the log says of an SMS that gammu is about to store. The log has the text of an SMS too, and
   * that can look like the PDU of another one: where two are of one key, neither is believed.
   */
  remember(facts: PduFacts): void {
    const known = this.remembered.get(facts.key);
    const isForged = known !== undefined && !isDeepStrictEqual(known, facts);
    this.remembered.delete(facts.key);
    this.remembered.set(facts.key, isForged ? { ...known, senderType: 'unknown' } : facts);
    void makeRoomFor(facts, this.folder.of('inbox')).catch(() => {});
    if (!isForged) this.keepZone(facts.zone);
    const oldest = this.remembered.keys().next().value;
    if (this.remembered.size > MAX_REMEMBERED && oldest !== undefined) this.remembered.delete(oldest);
  }

  private keepZone(zone: number): void {
    if (this.lastZone === zone) return;
    this.lastZone = zone;
    this.zoneKept = this.zoneKept.then(() => writeFileDurably(this.zoneFile, String(zone)).catch(() => {}));
  }

  /**
   * Takes over what gammu has written without coming to run its script. Called while none runs. What is not
   * whole is still on the SIM.
   */
  async recover(): Promise<void> {
    const inbox = this.folder.of('inbox');
    const entries = await readdir(inbox, { withFileTypes: true, recursive: true });
    let count = 0;
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const content = await readFile(path);
      const isWhole = readBackup(content.toString()) !== null;
      count += 1;
      const stamp = `${BigInt(this.clock.now()) * NS_PER_MS}-recovered-${count}`;
      // A new file of the same content, since only what is written here is known to be on the disk.
      if (isWhole) await writeFileDurably(join(this.path, stamp), content);
      else if (content.length > 0) await this.unreadable.put(stamp, content, 'half');
      await unlink(path);
    }
    // What is left are folders that odd names needed.
    for (const name of await readdir(inbox)) await rm(join(inbox, name), { recursive: true, force: true });
  }

  /** @throws InboxError where the folder cannot be read */
  async list(): Promise<readonly StoredSms[]> {
    try {
      const filed = await this.fresh();
      const sms: StoredSms[] = [];
      for (const assembly of joinParts(filed.filter(({ part }) => part.kind === 'deliver')))
        if (assembly.isWhole || this.hasWaited(assembly)) sms.push(await this.smsOf(assembly));
      return sms.sort(byTime);
    } catch (error) {
      const code = hasCode(error, 'ENOSPC') ? ' (no space left)' : '';
      throw new InboxError(`the SMS that gammu has stored cannot be read${code}`, reasonOf(error));
    }
  }

  /** What has parts of an SMS that was not given yet stays. */
  async remove(places: readonly string[]): Promise<void> {
    await this.delivered?.add(
      places.flatMap((place) => this.given.get(place) ?? []),
      this.clock.now(),
    );
    for (const place of places) this.given.delete(place);
    const isOver = (part: BackupPart): boolean => part.piece === null || this.delivered?.has(part) !== false;
    const over: string[] = [];
    for (const name of places.flatMap((place) => place.split(BETWEEN_PLACES)))
      if ((await this.partsOf(name)).every(isOver)) over.push(name);
    await this.drop(over);
  }

  /** The parts in the spool that the server has not got. Files that have no others are removed. */
  private async fresh(): Promise<FiledPart[]> {
    const filed = await this.read();
    const fresh = filed.filter(({ part }) => this.delivered?.has(part) !== true);
    if (fresh.length === filed.length) return fresh;
    const kept = new Set(fresh.map(({ name }) => name));
    await this.drop([...new Set(filed.map(({ name }) => name))].filter((name) => !kept.has(name)));
    return fresh;
  }

  /** Gives each stored report to `tell`, and removes it when that has resolved. */
  async takeReports(tell: (report: DeliveryReport) => Promise<void>): Promise<void> {
    const reports = (await this.read()).filter(({ part }) => part.kind === 'report');
    for (const { name, part } of reports) {
      if (part.sender !== '')
        await tell({ reference: part.reference, number: part.sender, state: stateOf(part.text) });
      await this.drop([name]);
    }
  }

  private async drop(names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (!/^[\w-]+$/.test(name)) continue;
      await ifThere(unlink(join(this.path, name)));
      await ifThere(unlink(join(this.path, `${name}${FACTS}`)));
      this.known.delete(name);
      this.facts.delete(name);
    }
    if (names.length > 0) await syncFolder(this.path);
  }

  /** Every part in the spool, in the order of arrival. */
  private async read(): Promise<FiledPart[]> {
    const names = (await readdir(this.path)).filter((name) => /^[\w-]+$/.test(name)).sort();
    const filed: FiledPart[] = [];
    for (const name of names) for (const part of await this.partsOf(name)) filed.push({ name, part });
    return filed;
  }

  private async partsOf(name: string): Promise<readonly BackupPart[]> {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const content = await textIfThere(join(this.path, name));
    if (content === undefined) return [];
    const parts = readBackup(content);
    const oddity = parts === null || parts.some(({ kind }) => kind === 'other') ? 'sms' : oddityOf(parts);
    if (parts === null || oddity !== null) {
      // Where it is not there any more, another reading at the same time has done it.
      if (await this.unreadable.move(join(this.path, name), name, oddity ?? 'sms'))
        this.log.warn('gammu has stored what is no SMS; it is kept for a person to look at', { file: name });
      return [];
    }
    this.known.set(name, parts);
    return parts;
  }

  private hasWaited({ names }: Assembly): boolean {
    return this.clock.now() - Math.max(...names.map(arrivalOf)) >= this.waitMs;
  }

  private async smsOf({ parts, names }: Assembly): Promise<StoredSms> {
    const [first] = parts;
    if (first === undefined) throw new Error('an SMS without a part');
    const { smsc, time } = first.part;
    const { zone, sender, senderType } = await this.factsOf(first);
    const text = parts.map(({ part }) => part.text).join('');
    const place = names.join(BETWEEN_PLACES);
    this.given.set(
      place,
      parts.map(({ part }) => part),
    );
    return { place, sender, senderType, text, sentAt: isoOf(time, zone), smsc };
  }

  /** From the log where it told them, else by rule; then kept, since both copies of an SMS must be equal. */
  private async factsOf({ name, part }: FiledPart): Promise<Facts> {
    const known = this.facts.get(name);
    if (known !== undefined) return known;
    const path = join(this.path, `${name}${FACTS}`);
    const { zone, sender, senderType } = fieldsOf(parseJson((await textIfThere(path)) ?? ''));
    if (typeof zone === 'number' && isText(sender) && isSenderType(senderType))
      return this.keepFacts(name, { zone, sender, senderType });
    const key = factsKey(part.sender, part.time.slice(2).replace('T', ''));
    // The log may be read a little later than the folder.
    const isFresh = this.clock.now() - arrivalOf(name) < FRESH_MS;
    if (isFresh && !this.remembered.has(key))
      await new Promise<void>((resolve) => {
        this.clock.after(LOG_WITHIN_MS, resolve);
      });
    const told = this.remembered.get(key);
    // gammu writes the clock of the SMS centre, which has nearly always the zone of this machine.
    const guessed = this.lastZone ?? zoneHere(clockOf(part.time));
    const facts = {
      zone: told?.zone ?? guessed,
      sender: told?.sender ?? part.sender,
      senderType: told?.senderType ?? typeOfSender(part.sender),
    };
    await writeFileDurably(path, JSON.stringify(facts));
    return this.keepFacts(name, facts);
  }

  private keepFacts(name: string, facts: Facts): Facts {
    this.facts.set(name, facts);
    return facts;
  }
}

/** An answer to a code that was dialled has neither sender nor SMS centre. */
function oddityOf(parts: readonly BackupPart[]): Oddity | null {
  const isDialled = parts.some(
    ({ kind, sender, smsc }) => kind === 'deliver' && sender === '' && smsc === null,
  );
  return isDialled ? 'dialled' : null;
}

/** Of this machine, in minutes. */
function zoneHere(at: number): number {
  return Number.isNaN(at) ? 0 : -new Date(at).getTimezoneOffset();
}

/** Milliseconds since the Unix epoch; the names of files begin with it in nanoseconds. */
function arrivalOf(name: string): number {
  return Number(BigInt(/^\d+/.exec(name)?.[0] ?? 0) / NS_PER_MS);
}

function byTime(one: StoredSms, other: StoredSms): number {
  return timeOf(one) - timeOf(other) || (one.place < other.place ? -1 : 1);
}

/** Null for a time that cannot be, from a wrong SMS centre. */
function isoOf(time: string, zone: number): string | null {
  const [hours, minutes] = [Math.floor(Math.abs(zone) / 60), Math.abs(zone) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  const offset = `${zone < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
  const local = new Date(clockOf(time));
  return Number.isNaN(local.getTime()) ? null : `${local.toISOString().slice(0, 19)}${offset}`;
}

/** In the words of gammu. It says `Unknown` for what the standard reserves: no claim is made of it. */
function stateOf(text: string): DeliveryReport['state'] {
  return text === 'Delivered' ? 'delivered' : text === 'Failed' ? 'failed' : 'pending';
}

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

/**
 * Which parts of long SMS the server has. gammu stores an SMS once more when it was killed before it removed
 * it from the SIM. A part that comes again without the others would wait for them, come as an SMS of its own,
 * or be joined with parts of another SMS.
 */
class DeliveredParts extends Journaled<DeliveredRecord, DeliveredState> {
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
