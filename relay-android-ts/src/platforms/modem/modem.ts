/**
 * What the platform asks of a GSM modem, whichever program drives it: gammu-smsd or ModemManager. An
 * implementation keeps its program alive, and never lets an SMS be sent twice.
 */
import type { Registration, SimState } from '../../core/health.js';
import type { SenderType } from '../../core/ports.js';

/** An SMS that lies in the storage of a modem or of its program, all parts in one text. */
export interface ModemSms {
  /** By which `remove` knows it. Another SMS may have it once this one is removed. */
  readonly place: string;
  /** A name, or a number with the `+` where it is international. */
  readonly sender: string;
  readonly senderType: SenderType;
  readonly text: string;
  /** ISO 8601 with offset: the time of the SMS centre, null where it told none. The same on every reading. */
  readonly sentAt: string | null;
  /** Number of the SMS centre; null where it is not told. */
  readonly smsc: string | null;
}

/** By which the SMS of a storage are ordered: those without a time come first. */
export const timeOf = ({ sentAt }: ModemSms): number => (sentAt === null ? 0 : Date.parse(sentAt));

const MAX_SHORT_CODE = 6;

/** The type that a sender must have where nothing tells it. */
export function typeOfSender(sender: string): SenderType {
  if (/^\+\d+$/.test(sender)) return 'international';
  if (sender === '') return 'unknown';
  if (!/^[\d*#]+$/.test(sender)) return 'alphanumeric';
  return sender.length <= MAX_SHORT_CODE ? 'short_code' : 'national';
}

export interface OutgoingSms {
  /** Of the dispatch. */
  readonly id: string;
  readonly number: string;
  readonly text: string;
}

/**
 * What came of handing an SMS over. `references` are the TP-Message-References (0 to 255) under which the
 * network reports on its parts, in their order. `unknown`: it may have been sent.
 */
export type Handover =
  | { readonly kind: 'sent'; readonly references: readonly number[] }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'unknown'; readonly error: string };

/** What the network says of one part that was sent before. `pending`: it tries on, and reports again. */
export interface DeliveryReport {
  /** TP-Message-Reference, 0 to 255. */
  readonly reference: number;
  /** The number that it was sent to, as the network writes it. */
  readonly number: string;
  readonly state: 'delivered' | 'pending' | 'failed';
}

export interface ModemState {
  /** Null while it works, else why it does not, in one line without numbers or texts of SMS. */
  readonly problem: string | null;
  readonly registration: Registration | null;
  readonly sim: SimState | null;
  /** Per cent; null where it is not told. */
  readonly signal: number | null;
  /** Degrees Celsius; null where it is not told. */
  readonly temperature: number | null;
  /** The SIM's own number; null where the SIM does not tell, which is usual. */
  readonly number: string | null;
  /** Name and version of the modem, for people; null where it is not told. */
  readonly model: string | null;
}

export interface ModemEvents {
  /** An SMS may have arrived. */
  readonly onSms: () => void;
  /** Resolves when it is kept, and need not be told again; rejects when it must be. */
  readonly onReport: (report: DeliveryReport) => Promise<void>;
  /**
   * What came of an SMS that was handed over before, in this run of the agent or in an earlier one, by the id
   * of its dispatch. May be told again.
   */
  readonly onHandedOver: (id: string, handover: Handover, about: HandedOver) => void;
}

export interface HandedOver {
  /** Empty where it is not known any more. */
  readonly number: string;
  /** When it was handed over: milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface Modem {
  /** 1-based, as the server counts the SIMs of a device. */
  readonly slot: number;
  /** Whether it would send an SMS now, as far as is known. */
  readonly isReady: boolean;
  /**
   * Begins to work and resolves soon, also where the modem is not there: `readState` then tells the problem,
   * and it is tried again until `close`. Called once.
   */
  open(events: ModemEvents): Promise<void>;
  /**
   * The SMS in its storage that are whole, oldest first. Those whose parts have not all come are left out
   * until they have, or until they have waited long enough to be given as they are.
   * @throws InboxError where they cannot be read
   */
  list(): Promise<readonly ModemSms[]>;
  /** Removes SMS for good. One that is not there any more is no error. */
  remove(places: readonly string[]): Promise<void>;
  /**
   * Sends one SMS in as many parts as it needs, with a delivery report asked for. It is called again only
   * when this has resolved. Never rejects. Whatever happens to the program or to this process, what was
   * handed over is sent once or not at all.
   */
  send(sms: OutgoingSms): Promise<Handover>;
  readState(): Promise<ModemState>;
  /** Ends the program where it is this agent's own. */
  close(): Promise<void>;
}
