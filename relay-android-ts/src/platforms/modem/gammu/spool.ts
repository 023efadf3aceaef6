/** The SMS and delivery reports that gammu has stored, each in a file of its own. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { errorMessage, InboxError } from '../../../core/errors.js';
import { Journal, JournaledStore, type JournalState } from '../../../core/journal/journal.js';
import {
  type Clock,
  type DurableFile,
  isSenderType,
  type Log,
  type SenderType,
} from '../../../core/ports.js';
import {
  arrayOf,
  asObject,
  createParser,
  type Infer,
  isNumber,
  isText,
  oneOf,
  parseJson,
  shape,
} from '../../../core/shape.js';
import {
  hasCode,
  ifExists,
  NodeDurableFile,
  readTextIfExists,
  syncFolder,
  watchFolder,
  writeFileDurably,
} from '../../../ports/node-files.js';
import { type DeliveryReport, type ModemSms, sentAtMs, typeOfSender } from '../modem.js';
import { type BackupPart, parseBackup } from './backup-file.js';
import { type Anomaly, type GammuFolder, makeRoomFor, type Unreadable } from './gammu-folder.js';
import { type Assembly, type FiledPart, joinParts, parseTimeAsUtc } from './join-parts.js';
import { factsKey, type PduFacts } from './pdu-facts.js';

/** Facts about an SMS that its file lacks; stored next to it, so that every reading is the same. */
interface SmsFacts {
  /** Minutes ahead of UTC. */
  readonly zone: number;
  readonly sender: string;
  readonly senderType: SenderType;
}

/** A part of an SMS or a report on its way: from a file, into an SMS that is given, to the server. */
interface SpoolPart extends FiledPart {
  /** The place of the SMS in which it was given last; null before. */
  place: string | null;
}

/** A file that was read. It never changes, and is removed when the server has all of its parts. */
interface SpoolFile {
  readonly name: string;
  readonly parts: readonly SpoolPart[];
  /** Facts about the SMS that begins in it; null until they are loaded. */
  facts: SmsFacts | null;
}

const FACTS = '.facts';
const FILE_NAME = /^[\w-]+$/;
const NS_PER_MS = 1_000_000n;
const BETWEEN_NAMES = '+';
const FRESH_MS = 2000;
const LOG_WITHIN_MS = 200;

/**
 * Tracks an SMS from gammu to the server. gammu logs its PDU (`remember`) and stores it in a file; `list`
 * reads each file once, joins its parts with others and returns the SMS, whose place is made of the file
 * names; `remove` records the parts that the server has, and deletes each file without other parts.
 */
export class Spool {
  private readonly path: string;
  private readonly pdus: LoggedPdus;
  /** Files that have been read, by name. */
  private readonly files = new Map<string, SpoolFile>();
  private delivered: DeliveredParts | undefined;
  private stopWatching: () => void = () => {};

  /** `waitMs` is how long the parts of a long SMS wait for each other. */
  constructor(
    private readonly folder: GammuFolder,
    private readonly unreadable: Unreadable,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly waitMs: number,
  ) {
    this.path = folder.of('spool');
    this.pdus = new LoggedPdus(join(folder.path, 'zone'));
  }

  /** Loads the state of earlier runs, and removes the leftovers of a killed run. */
  async load(): Promise<void> {
    const names = await readdir(this.path);
    const isLeft = (name: string): boolean =>
      name.endsWith('.new') || (name.endsWith(FACTS) && !names.includes(name.slice(0, -FACTS.length)));
    for (const name of names.filter(isLeft)) await unlink(join(this.path, name));
    await this.pdus.load();
    this.delivered ??= await DeliveredParts.open(new NodeDurableFile(this.folder.deliveredParts));
  }

  /** Calls `changed` when an SMS or a report has arrived, earlier than the log reports it. */
  watch(changed: () => void): void {
    this.stopWatching = watchFolder(this.path, (name) => {
      if (FILE_NAME.test(name)) changed();
    });
  }

  async close(): Promise<void> {
    this.stopWatching();
    await this.delivered?.close();
  }

  /** Takes what the log says of an SMS that gammu is about to store. */
  remember(facts: PduFacts): void {
    this.pdus.note(facts);
    void makeRoomFor(facts, this.folder.of('inbox')).catch(() => {});
  }

  /**
   * Moves files that gammu wrote without running its script. Called while gammu does not run. An SMS whose
   * file is incomplete is still on the SIM.
   */
  async recover(): Promise<void> {
    const inbox = this.folder.of('inbox');
    const entries = await readdir(inbox, { withFileTypes: true, recursive: true });
    let count = 0;
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const content = await readFile(path);
      const isWhole = parseBackup(content.toString()) !== null;
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
  async list(): Promise<readonly ModemSms[]> {
    try {
      const sms: ModemSms[] = [];
      const parts = (await this.undelivered()).filter(({ part }) => part.kind === 'deliver');
      for (const assembly of joinParts(parts))
        if (assembly.isWhole || this.hasWaited(assembly)) sms.push(await this.give(assembly));
      return sms.sort(byTime);
    } catch (error) {
      const code = hasCode(error, 'ENOSPC') ? ' (no space left)' : '';
      throw new InboxError(`the SMS that gammu has stored cannot be read${code}`, errorMessage(error));
    }
  }

  /** Deletes files whose parts are all delivered; keeps a file with parts of an SMS not returned yet. */
  async remove(places: readonly string[]): Promise<void> {
    const names = new Set(places.flatMap((place) => place.split(BETWEEN_NAMES)));
    const files = (await Promise.all([...names].map((name) => this.file(name)))).filter(
      (one) => one !== null,
    );
    const over = files.flatMap(({ parts }) => parts.filter(({ place }) => places.includes(place ?? '')));
    await this.delivered?.add(
      over.map(({ part }) => part),
      this.clock.now(),
    );
    const isOver = ({ part }: SpoolPart): boolean =>
      part.piece === null || this.delivered?.has(part) !== false;
    await this.drop(files.filter(({ parts }) => parts.every(isOver)));
  }

  /** Gives each stored report to `tell`, and removes it when that has resolved. */
  async takeReports(tell: (report: DeliveryReport) => Promise<void>): Promise<void> {
    for (const file of await this.read())
      for (const { part } of file.parts.filter((one) => one.part.kind === 'report')) {
        if (part.sender !== '')
          await tell({ reference: part.reference, number: part.sender, state: stateOf(part.text) });
        await this.drop([file]);
      }
  }

  /** The parts that the server has not got. Files that have no others are removed. */
  private async undelivered(): Promise<SpoolPart[]> {
    const isNew = ({ part }: SpoolPart): boolean => this.delivered?.has(part) !== true;
    const files = await this.read();
    const over = files.filter(({ parts }) => !parts.some(isNew));
    if (over.length > 0) await this.drop(over);
    return files.flatMap(({ parts }) => parts.filter(isNew));
  }

  private async drop(files: readonly SpoolFile[]): Promise<void> {
    for (const { name } of files) {
      await ifExists(unlink(join(this.path, name)));
      await ifExists(unlink(join(this.path, `${name}${FACTS}`)));
      this.files.delete(name);
    }
    if (files.length > 0) await syncFolder(this.path);
  }

  /** Every file in the spool, in the order of arrival. */
  private async read(): Promise<SpoolFile[]> {
    const files: SpoolFile[] = [];
    for (const name of (await readdir(this.path)).sort()) {
      const file = await this.file(name);
      if (file !== null) files.push(file);
    }
    return files;
  }

  /** @returns null if the file is missing, or not an SMS: then it is moved to the manual review folder */
  private async file(name: string): Promise<SpoolFile | null> {
    const known = this.files.get(name);
    if (known !== undefined) return known;
    const content = FILE_NAME.test(name) ? await readTextIfExists(join(this.path, name)) : undefined;
    if (content === undefined) return null;
    const parts = parseBackup(content);
    const oddity = parts === null || parts.some(({ kind }) => kind === 'other') ? 'sms' : findAnomaly(parts);
    if (parts === null || oddity !== null) {
      // Where it is not there any more, another reading at the same time has done it.
      if (await this.unreadable.move(join(this.path, name), name, oddity ?? 'sms'))
        this.log.warn('gammu has stored what is no SMS; it is kept for a person to look at', { file: name });
      return null;
    }
    const fresh = { name, parts: parts.map((part) => ({ name, part, place: null })), facts: null };
    const file = this.files.get(name) ?? fresh;
    this.files.set(name, file);
    return file;
  }

  private hasWaited({ names }: Assembly<SpoolPart>): boolean {
    return this.clock.now() - Math.max(...names.map(arrivalOf)) >= this.waitMs;
  }

  private async give({ parts, names }: Assembly<SpoolPart>): Promise<ModemSms> {
    const [first] = parts;
    if (first === undefined) throw new Error('an SMS without a part');
    const { zone, sender, senderType } = await this.factsOf(first);
    const { smsc, time } = first.part;
    const text = parts.map(({ part }) => part.text).join('');
    const place = names.join(BETWEEN_NAMES);
    for (const part of parts) part.place = place;
    return { place, sender, senderType, text, sentAt: isoOf(time, zone), smsc };
  }

  /** Facts from the log, otherwise by rule; then stored, because both copies of an SMS must be equal. */
  private async factsOf({ name, part }: SpoolPart): Promise<SmsFacts> {
    const file = this.files.get(name);
    const facts = file?.facts ?? (await this.keptFacts(name)) ?? (await this.newFacts(name, part));
    if (file !== undefined) file.facts = facts;
    return facts;
  }

  private async keptFacts(name: string): Promise<SmsFacts | null> {
    const text = await readTextIfExists(join(this.path, `${name}${FACTS}`));
    const { zone, sender, senderType } = asObject(parseJson(text ?? ''));
    const isKept = typeof zone === 'number' && isText(sender) && isSenderType(senderType);
    return isKept ? { zone, sender, senderType } : null;
  }

  private async newFacts(name: string, { sender, time }: BackupPart): Promise<SmsFacts> {
    const key = factsKey(sender, time.slice(2).replace('T', ''));
    // The log may be read a little later than the folder.
    const isFresh = this.clock.now() - arrivalOf(name) < FRESH_MS;
    if (isFresh && this.pdus.find(key) === undefined)
      await new Promise<void>((resolve) => {
        this.clock.after(LOG_WITHIN_MS, resolve);
      });
    const told = this.pdus.find(key);
    const facts = {
      // gammu writes the clock of the SMS centre, which has nearly always the zone of this machine.
      zone: told?.zone ?? this.pdus.lastZone ?? zoneHere(parseTimeAsUtc(time)),
      sender: told?.sender ?? sender,
      senderType: told?.senderType ?? typeOfSender(sender),
    };
    await writeFileDurably(join(this.path, `${name}${FACTS}`), JSON.stringify(facts));
    return facts;
  }
}

/** PDUs of the log that are remembered; a SIM holds fewer SMS. */
const MAX_PDUS = 1000;

/** PDUs from the log of gammu, whose files leave these facts out. */
class LoggedPdus {
  /** UTC offset of the last SMS, minutes; undefined before the first. */
  lastZone: number | undefined;
  private readonly byKey = new Map<string, PduFacts>();
  private zoneKept: Promise<void> = Promise.resolve();

  /** @param zoneFile keeps the zone for the next run */
  constructor(private readonly zoneFile: string) {}

  async load(): Promise<void> {
    const zone = await readTextIfExists(this.zoneFile);
    if (zone !== undefined && /^-?\d{1,3}$/.test(zone)) this.lastZone = Number(zone);
  }

  find(key: string): PduFacts | undefined {
    return this.byKey.get(key);
  }

  /**
   * Stores the facts of a PDU. The log also contains SMS texts, and a text can look like the PDU of another
   * SMS: if two differ under one key, the first is kept and its sender type becomes `unknown`.
   */
  note(facts: PduFacts): void {
    const known = this.byKey.get(facts.key);
    const isForged = known !== undefined && !isDeepStrictEqual(known, facts);
    this.byKey.delete(facts.key);
    this.byKey.set(facts.key, isForged ? { ...known, senderType: 'unknown' } : facts);
    if (!isForged) this.noteZone(facts.zone);
    const oldest = this.byKey.keys().next().value;
    if (this.byKey.size > MAX_PDUS && oldest !== undefined) this.byKey.delete(oldest);
  }

  private noteZone(zone: number): void {
    if (this.lastZone === zone) return;
    this.lastZone = zone;
    this.zoneKept = this.zoneKept.then(() => writeFileDurably(this.zoneFile, String(zone)).catch(() => {}));
  }
}

/** An answer to a code that was dialled has neither sender nor SMS centre. */
function findAnomaly(parts: readonly BackupPart[]): Anomaly | null {
  const isDialled = parts.some(
    ({ kind, sender, smsc }) => kind === 'deliver' && sender === '' && smsc === null,
  );
  return isDialled ? 'dialled' : null;
}

/** UTC offset of this machine, minutes. */
function zoneHere(at: number): number {
  return Number.isNaN(at) ? 0 : -new Date(at).getTimezoneOffset();
}

/** Milliseconds since the Unix epoch; the names of files begin with it in nanoseconds. */
function arrivalOf(name: string): number {
  return Number(BigInt(/^\d+/.exec(name)?.[0] ?? 0) / NS_PER_MS);
}

function byTime(one: ModemSms, other: ModemSms): number {
  return sentAtMs(one) - sentAtMs(other) || (one.place < other.place ? -1 : 1);
}

/** Null for a time that cannot be, from a wrong SMS centre. */
function isoOf(time: string, zone: number): string | null {
  const [hours, minutes] = [Math.floor(Math.abs(zone) / 60), Math.abs(zone) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  const offset = `${zone < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
  const local = new Date(parseTimeAsUtc(time));
  return Number.isNaN(local.getTime()) ? null : `${local.toISOString().slice(0, 19)}${offset}`;
}

/** Parses the state as gammu writes it: `Unknown` for reserved values, which count as `pending`. */
function stateOf(text: string): DeliveryReport['state'] {
  return text === 'Delivered' ? 'delivered' : text === 'Failed' ? 'failed' : 'pending';
}

const isRecord = shape({
  t: oneOf('delivered'),
  parts: arrayOf(isText),
  /** Milliseconds since the Unix epoch. */
  at: isNumber,
});
type DeliveredRecord = Infer<typeof isRecord>;

/** A stick that was pulled out may be put in again days later. */
const KEPT_MS = 7 * 86_400_000;
const ID_LENGTH = 24;

class DeliveredState implements JournalState<DeliveredRecord> {
  /** Delivery time by part id, in order of delivery. */
  readonly at = new Map<string, number>();
  readonly parse = createParser(isRecord);

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
 * Parts of long SMS that the server has. gammu stores an SMS again if it was killed before it deleted the SMS
 * from the SIM. A part that is stored again without the others would wait for them, be returned as an SMS of
 * its own, or be joined with parts of another SMS.
 */
class DeliveredParts extends JournaledStore<DeliveredRecord, DeliveredState> {
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

/** Id of a part: equal for all copies of it, and different for all other parts. */
function idOf({ sender, time, text, piece }: BackupPart): string {
  const all = JSON.stringify([sender, time, text, piece?.reference, piece?.of, piece?.number]);
  return createHash('sha256').update(all).digest('hex').slice(0, ID_LENGTH);
}
