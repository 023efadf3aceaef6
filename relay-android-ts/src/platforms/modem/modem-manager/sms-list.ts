/**
 * The SMS of one modem in ModemManager. Each is read once, since a whole one does not change, so that a poll
 * is one call. Reports and what is left of sent SMS are removed on the way.
 */
import { InboxError } from '../../../core/errors.js';
import type { Clock, Log } from '../../../core/ports.js';
import { type ModemEvents, type StoredSms, timeOf } from '../modem.js';
import { detailOf, type Failure, listIn, type Mmcli, problemOfFailure } from './mmcli.js';
import type { Resync } from './modem-link.js';
import {
  contentOf,
  indexOf,
  isBlank,
  isoTime,
  isReport,
  pathOfPlace,
  placeOf,
  reportOf,
  type SmsObject,
  smsObjectOf,
  storedSmsOf,
} from './sms-object.js';

export interface ListTimes {
  /** After this an SMS whose parts have not all come is given as it is, if it has a text. */
  readonly partsMs: number;
  /**
   * After this, by the time of the SMS centre, parts without the others are removed. ModemManager before 1.24
   * joins them with parts of another SMS that happens to have the same reference.
   */
  readonly stalePartsMs: number;
  /** After this a sent SMS, or one that was created only, is removed. */
  readonly leftoverMs: number;
  /** After this an SMS is read again: ModemManager may have given its object to another one. */
  readonly believeMs: number;
}

const TIMES: ListTimes = {
  partsMs: 600_000,
  stalePartsMs: 86_400_000,
  leftoverMs: 1_200_000,
  believeMs: 60_000,
};

/** Failures that concern one SMS, and must not block the others. */
const OF_ONE_SMS = new Set<Failure['kind']>(['no_sms', 'failed']);

interface Known {
  readonly sms: SmsObject;
  readonly readAt: number;
}

export class SmsList {
  private readonly known = new Map<string, Known>();
  /** When what may become whole, or is to be removed later, was first met. */
  private readonly firstMet = new Map<string, number>();
  /** What lay in the modem at the last reading, whatever its objects were. */
  private met: ReadonlySet<string> = new Set();
  /** What was said once of an object. */
  private readonly said = new Set<string>();
  /** Reports that are told, and could not be removed yet. */
  private readonly told = new Set<string>();

  constructor(
    private readonly parts: {
      readonly mmcli: Mmcli;
      readonly clock: Clock;
      readonly log: Log;
      readonly onReport: ModemEvents['onReport'];
      /** Whether a sent SMS is still needed. */
      readonly isUsed: (object: string) => boolean;
      readonly resync: Pick<Resync, 'noteActivity' | 'notePartsMissing'>;
    },
    private readonly times: ListTimes = TIMES,
  ) {}

  /** Forgets what was read: the objects may be those of other SMS. */
  forget(): void {
    this.known.clear();
  }

  /**
   * @param modem its D-Bus object
   * @returns the whole SMS, oldest first
   * @throws InboxError where they cannot be read
   */
  async read(modem: string): Promise<readonly StoredSms[]> {
    const whole: { readonly stored: StoredSms; readonly object: string }[] = [];
    const met = new Set<string>();
    const contents = new Set<string>();
    for (const object of await this.objects(modem)) {
      const sms = await this.smsOf(object);
      if (sms !== null) contents.add(contentOf(placeOf(sms)));
      if (sms?.isStored === true) met.add(this.meet(sms));
      const stored = sms === null ? null : await this.sort(modem, sms);
      if (stored !== null) whole.push({ stored, object });
    }
    this.met = met;
    for (const name of this.firstMet.keys()) if (!contents.has(name)) this.firstMet.delete(name);
    return whole.sort(byTime).map(({ stored }) => stored);
  }

  /**
   * Removes SMS by what is in them, wherever they are now; one that is not there any more is left.
   * @throws InboxError where one of them could not be removed
   */
  async remove(modem: string, places: readonly string[]): Promise<void> {
    let failure: Failure | null = null;
    for (const place of places) {
      // Read again: the object may be that of another SMS now.
      this.known.delete(pathOfPlace(place));
      const object = (await this.isAt(pathOfPlace(place), place))
        ? pathOfPlace(place)
        : await this.search(modem, place);
      if (object !== null) failure = (await this.delete(modem, object)) ?? failure;
    }
    if (failure !== null) throw inboxError(failure);
  }

  private async isAt(object: string, place: string): Promise<boolean> {
    const sms = await this.smsOf(object);
    return sms !== null && contentOf(placeOf(sms)) === contentOf(place);
  }

  /** The objects of all SMS change when the modem is enabled, or ModemManager begins again. */
  private async search(modem: string, place: string): Promise<string | null> {
    for (const object of await this.objects(modem)) {
      if (await this.isAt(object, place)) return object;
    }
    return null;
  }

  private async objects(modem: string): Promise<readonly string[]> {
    const list = await this.parts.mmcli.read(['-m', modem, '--messaging-list-sms']);
    if (list.kind !== 'answered') throw inboxError(list);
    const objects = listIn(list.fields, 'modem.messaging.sms');
    this.drop(new Set(objects));
    return [...objects].sort((one, other) => indexOf(one) - indexOf(other));
  }

  private async smsOf(object: string): Promise<SmsObject | null> {
    const now = this.parts.clock.now();
    const known = this.known.get(object);
    if (known !== undefined && now - known.readAt < this.times.believeMs) return known.sms;
    const read = await this.parts.mmcli.read(['-s', object]);
    if (read.kind === 'answered') {
      const sms = smsObjectOf(read.fields);
      // An SMS that is given to the platform, or that is to be left alone, does not change any more.
      const isOfOthers = sms.state === 'sent' && sms.isStored;
      const isWhole = sms.state === 'received' && !isBlank(sms);
      const isFinal = isWhole || isOfOthers || sms.state === 'stored';
      if (isFinal) this.known.set(object, { sms, readAt: now });
      return sms;
    }
    if (!OF_ONE_SMS.has(read.kind)) throw inboxError(read);
    if (read.kind === 'failed') this.sayOnce(object, 'an SMS cannot be read', detailOf(read));
    return null;
  }

  /** Returns what it is met by the next time. */
  private meet(sms: SmsObject): string {
    const name = `${contentOf(placeOf(sms))} ${sms.state}`;
    if (this.met.has(name)) return name;
    if (sms.state === 'receiving') this.parts.resync.notePartsMissing();
    else this.parts.resync.noteActivity();
    return name;
  }

  /** The SMS if it is one for the platform; else what is to be done with it. */
  private async sort(modem: string, sms: SmsObject): Promise<StoredSms | null> {
    if (isReport(sms)) {
      await this.takeReport(modem, sms);
      return null;
    }
    if (sms.type === 'submit') {
      await this.takeSubmit(modem, sms);
      return null;
    }
    if (sms.state === 'receiving') return this.takeParts(modem, sms);
    if (sms.state !== 'received') return null;
    if (isBlank(sms))
      return this.ageOf(sms) < this.times.partsMs ? null : storedSmsOf({ ...sms, text: '--' });
    const stored = storedSmsOf(sms);
    if (stored === null) this.sayOnce(sms.path, 'an SMS with data instead of a text is left in the modem');
    return stored;
  }

  private async takeParts(modem: string, sms: SmsObject): Promise<StoredSms | null> {
    if (this.ageOf(sms) < this.times.partsMs) return null;
    const sinceSent = this.parts.clock.now() - Date.parse(isoTime(sms.timestamp) ?? '');
    if (sms.timestamp !== null && sms.text === null && sinceSent >= this.times.stalePartsMs) {
      this.parts.log.warn('parts of an SMS are removed, since the others have never come');
      await this.delete(modem, sms.path);
      return null;
    }
    const stored = storedSmsOf(sms);
    const why = stored === null ? 'ModemManager shows its text only with all parts' : 'it is given as it is';
    this.sayOnce(sms.path, 'parts of an SMS have not come', why);
    return stored;
  }

  private async takeReport(modem: string, sms: SmsObject): Promise<void> {
    const place = placeOf(sms) + sms.reference;
    if (!this.told.has(place)) await this.parts.onReport(reportOf(sms));
    this.told.add(place);
    if ((await this.delete(modem, sms.path)) === null) this.told.delete(place);
  }

  /** Those in the storage of the modem are not by this agent. */
  private async takeSubmit(modem: string, sms: SmsObject): Promise<void> {
    if (sms.isStored || this.parts.isUsed(sms.path)) return;
    if (this.ageOf(sms) >= this.times.leftoverMs) await this.delete(modem, sms.path);
  }

  /** Null if it is not there any more. */
  private async delete(modem: string, object: string): Promise<Failure | null> {
    const answer = await this.parts.mmcli.run(['-m', modem, `--messaging-delete-sms=${object}`]);
    this.known.delete(object);
    this.parts.resync.noteActivity();
    if (answer.kind === 'answered' || answer.kind === 'no_sms') return null;
    this.parts.log.warn('an SMS cannot be removed', { why: detailOf(answer) });
    return answer;
  }

  /** Since it was first met, by what is in it: its object changes when the storage is read again. */
  private ageOf(sms: SmsObject): number {
    const now = this.parts.clock.now();
    const name = contentOf(placeOf(sms));
    const met = this.firstMet.get(name) ?? now;
    this.firstMet.set(name, met);
    return now - met;
  }

  private sayOnce(object: string, message: string, why?: string): void {
    if (this.said.has(object)) return;
    this.said.add(object);
    this.parts.log.warn(message, why === undefined ? {} : { why });
  }

  private drop(there: ReadonlySet<string>): void {
    for (const names of [this.known, this.said]) {
      for (const name of names.keys()) if (!there.has(name)) names.delete(name);
    }
  }
}

/** For the platform: the problem, and for the log what the program said. */
export function inboxError(failure: Failure): InboxError {
  return new InboxError(problemOfFailure(failure), detailOf(failure));
}

function byTime(
  one: { readonly stored: StoredSms; readonly object: string },
  other: { readonly stored: StoredSms; readonly object: string },
): number {
  const difference = timeOf(one.stored) - timeOf(other.stored);
  return difference === 0 ? indexOf(one.object) - indexOf(other.object) : difference;
}
