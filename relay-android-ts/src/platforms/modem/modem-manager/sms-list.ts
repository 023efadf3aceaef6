/**
 * The SMS of one modem in ModemManager. Complete SMS do not change and are cached, so that a poll usually
 * needs one call. Reports and leftovers of sent SMS are removed during a poll.
 */
import { InboxError } from '../../../core/errors.js';
import { type ModemEvents, type ModemSms, sentAtMs } from '../modem.js';
import { describeFailure, getList, type Manager, type MmcliFailure, problemOfFailure } from './mmcli.js';
import type { Resync } from './modem-link.js';
import {
  contentHash,
  formatPlace,
  isBlank,
  isoTime,
  isReport,
  objectIndex,
  parseSmsObject,
  pathOfPlace,
  type SmsObject,
  toDeliveryReport,
  toModemSms,
} from './sms-object.js';

/** Failures that concern one SMS, and must not block the others. */
const OF_ONE_SMS = new Set<MmcliFailure['kind']>(['no_sms', 'failed']);

interface ReadSms {
  readonly sms: SmsObject;
  readonly readAt: number;
}

export class SmsList {
  private readonly known = new Map<string, ReadSms>();
  /** Time when an SMS that is incomplete or will be removed later was first found, by its content. */
  private readonly firstMet = new Map<string, number>();
  /** SMS in the modem at the last reading, by content and state rather than by object. */
  private met: ReadonlySet<string> = new Set();
  /** Objects about which a warning was logged. */
  private readonly said = new Set<string>();
  /** Delivery reports that were passed on but could not be removed yet. */
  private readonly told = new Set<string>();

  constructor(
    private readonly manager: Manager,
    private readonly resync: Resync,
    private readonly onReport: ModemEvents['onReport'],
    /** True if a sent SMS is still needed. */
    private readonly isUsed: (object: string) => boolean,
  ) {}

  /** Clears the cache: the objects may now belong to other SMS. */
  forget(): void {
    this.known.clear();
  }

  /**
   * @param modem D-Bus object of the modem
   * @returns the complete SMS, oldest first, and incomplete ones that have waited long enough
   * @throws InboxError if they cannot be read
   */
  async read(modem: string): Promise<readonly ModemSms[]> {
    const whole: { readonly stored: ModemSms; readonly object: string }[] = [];
    const met = new Set<string>();
    const contents = new Set<string>();
    for (const object of await this.objects(modem)) {
      const sms = await this.smsOf(object);
      if (sms !== null) contents.add(contentHash(formatPlace(sms)));
      if (sms?.isStored === true) met.add(this.meet(sms));
      const stored = sms === null ? null : await this.sort(modem, sms);
      if (stored !== null) whole.push({ stored, object });
    }
    this.met = met;
    for (const name of this.firstMet.keys()) if (!contents.has(name)) this.firstMet.delete(name);
    return whole.sort(byTime).map(({ stored }) => stored);
  }

  /**
   * Removes SMS by their content, whatever their objects are now; SMS that no longer exist are skipped.
   * @throws InboxError if one of them could not be removed
   */
  async remove(modem: string, places: readonly string[]): Promise<void> {
    let failure: MmcliFailure | null = null;
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
    return sms !== null && contentHash(formatPlace(sms)) === contentHash(place);
  }

  /** The objects of all SMS change when the modem is enabled, or ModemManager begins again. */
  private async search(modem: string, place: string): Promise<string | null> {
    for (const object of await this.objects(modem)) {
      if (await this.isAt(object, place)) return object;
    }
    return null;
  }

  private async objects(modem: string): Promise<readonly string[]> {
    const list = await this.manager.mmcli.read(['-m', modem, '--messaging-list-sms']);
    if (list.kind !== 'answered') throw inboxError(list);
    const objects = getList(list.fields, 'modem.messaging.sms');
    this.drop(new Set(objects));
    return [...objects].sort((one, other) => objectIndex(one) - objectIndex(other));
  }

  private async smsOf(object: string): Promise<SmsObject | null> {
    const now = this.manager.clock.now();
    const known = this.known.get(object);
    if (known !== undefined && now - known.readAt < this.manager.times.believeMs) return known.sms;
    const read = await this.manager.mmcli.read(['-s', object]);
    if (read.kind === 'answered') {
      const sms = parseSmsObject(read.fields);
      // An SMS that is given to the platform, or that is to be left alone, does not change any more.
      const isOfOthers = sms.state === 'sent' && sms.isStored;
      const isWhole = sms.state === 'received' && !isBlank(sms);
      const isFinal = isWhole || isOfOthers || sms.state === 'stored';
      if (isFinal) this.known.set(object, { sms, readAt: now });
      return sms;
    }
    if (!OF_ONE_SMS.has(read.kind)) throw inboxError(read);
    if (read.kind === 'failed') this.sayOnce(object, 'an SMS cannot be read', describeFailure(read));
    return null;
  }

  /** Returns what it is met by the next time. */
  private meet(sms: SmsObject): string {
    const name = `${contentHash(formatPlace(sms))} ${sms.state}`;
    if (this.met.has(name)) return name;
    if (sms.state === 'receiving') this.resync.notePartsMissing();
    else this.resync.noteActivity();
    return name;
  }

  /** @returns the SMS if it is for the platform; null if it was processed here or must wait */
  private async sort(modem: string, sms: SmsObject): Promise<ModemSms | null> {
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
      return this.ageOf(sms) < this.manager.times.partsMs ? null : toModemSms({ ...sms, text: '--' });
    const stored = toModemSms(sms);
    if (stored === null) this.sayOnce(sms.path, 'an SMS with data instead of a text is left in the modem');
    return stored;
  }

  private async takeParts(modem: string, sms: SmsObject): Promise<ModemSms | null> {
    if (this.ageOf(sms) < this.manager.times.partsMs) return null;
    const sinceSent = this.manager.clock.now() - Date.parse(isoTime(sms.timestamp) ?? '');
    if (sms.timestamp !== null && sms.text === null && sinceSent >= this.manager.times.stalePartsMs) {
      this.manager.log.warn('parts of an SMS are removed, since the others have never come');
      await this.delete(modem, sms.path);
      return null;
    }
    const stored = toModemSms(sms);
    const why = stored === null ? 'ModemManager shows its text only with all parts' : 'it is given as it is';
    this.sayOnce(sms.path, 'parts of an SMS have not come', why);
    return stored;
  }

  private async takeReport(modem: string, sms: SmsObject): Promise<void> {
    const place = formatPlace(sms) + sms.reference;
    if (!this.told.has(place)) await this.onReport(toDeliveryReport(sms));
    this.told.add(place);
    if ((await this.delete(modem, sms.path)) === null) this.told.delete(place);
  }

  /** Removes old sent SMS. Those in the storage of the modem were not created by this agent and are kept. */
  private async takeSubmit(modem: string, sms: SmsObject): Promise<void> {
    if (sms.isStored || this.isUsed(sms.path)) return;
    if (this.ageOf(sms) >= this.manager.times.leftoverMs) await this.delete(modem, sms.path);
  }

  /** @returns null if the SMS no longer exists */
  private async delete(modem: string, object: string): Promise<MmcliFailure | null> {
    const answer = await this.manager.mmcli.run(['-m', modem, `--messaging-delete-sms=${object}`]);
    this.known.delete(object);
    this.resync.noteActivity();
    if (answer.kind === 'answered' || answer.kind === 'no_sms') return null;
    this.manager.log.warn('an SMS cannot be removed', { why: describeFailure(answer) });
    return answer;
  }

  /** Time since it was first found, ms. Tracked by content: rereading the storage changes the object. */
  private ageOf(sms: SmsObject): number {
    const now = this.manager.clock.now();
    const name = contentHash(formatPlace(sms));
    const met = this.firstMet.get(name) ?? now;
    this.firstMet.set(name, met);
    return now - met;
  }

  private sayOnce(object: string, message: string, why?: string): void {
    if (this.said.has(object)) return;
    this.said.add(object);
    this.manager.log.warn(message, why === undefined ? {} : { why });
  }

  private drop(there: ReadonlySet<string>): void {
    for (const names of [this.known, this.said]) {
      for (const name of names.keys()) if (!there.has(name)) names.delete(name);
    }
  }
}

/** Converts a failure: the problem for the platform, and the program's output for the log. */
export function inboxError(failure: MmcliFailure): InboxError {
  return new InboxError(problemOfFailure(failure), describeFailure(failure));
}

function byTime(
  one: { readonly stored: ModemSms; readonly object: string },
  other: { readonly stored: ModemSms; readonly object: string },
): number {
  const difference = sentAtMs(one.stored) - sentAtMs(other.stored);
  return difference === 0 ? objectIndex(one.object) - objectIndex(other.object) : difference;
}
