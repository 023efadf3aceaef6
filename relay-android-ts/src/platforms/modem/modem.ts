/**
 * Interface of a GSM modem for the platform, independent of the program that drives it: gammu-smsd or
 * ModemManager. An implementation keeps its program running, and never sends an SMS twice.
 */
import type { Registration, SimState } from '../../core/health.js';
import type { SenderType } from '../../core/ports.js';

/** SMS in the storage of a modem or of its program, with all parts in one text. */
export interface ModemSms {
  /**
   * Identifier for `remove`. It may differ at the next reading, and then still removes the SMS; another SMS
   * may get it after this one is removed.
   */
  readonly place: string;
  /** A name, or a number with the `+` where it is international. */
  readonly sender: string;
  readonly senderType: SenderType;
  readonly text: string;
  /** Time of the SMS centre, ISO 8601 with offset; null if it reported none. Equal on every reading. */
  readonly sentAt: string | null;
  /** Number of the SMS centre; null if unknown. */
  readonly smsc: string | null;
}

/** Sort key of stored SMS, milliseconds since the Unix epoch; 0 for SMS without a time, which come first. */
export const sentAtMs = ({ sentAt }: ModemSms): number => (sentAt === null ? 0 : Date.parse(sentAt));

const MAX_SHORT_CODE = 6;

/** Derives the type from the sender's address, if it is not reported. */
export function typeOfSender(sender: string): SenderType {
  if (/^\+\d+$/.test(sender)) return 'international';
  if (sender === '') return 'unknown';
  if (!/^[\d*#]+$/.test(sender)) return 'alphanumeric';
  return sender.length <= MAX_SHORT_CODE ? 'short_code' : 'national';
}

export interface OutgoingSms {
  /** Id of the dispatch. */
  readonly id: string;
  readonly number: string;
  readonly text: string;
}

/**
 * Result of sending an SMS. `references` are the TP-Message-References (0 to 255) of its parts, in order,
 * which the network uses in delivery reports. `unknown`: it may have been sent.
 */
export type SendResult =
  | { readonly kind: 'sent'; readonly references: readonly number[] }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'unknown'; readonly error: string };

/** Status of one sent part, from the network. `pending`: the network keeps trying and reports again. */
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
  /** Per cent; null if unknown. */
  readonly signal: number | null;
  /** Degrees Celsius; null if unknown. */
  readonly temperature: number | null;
  /** The SIM's own number; null if the SIM does not report it, which is usual. */
  readonly number: string | null;
  /** Name and version of the modem, for users; null if unknown. */
  readonly model: string | null;
}

export interface ModemEvents {
  /** An SMS may have arrived. */
  readonly onSms: () => void;
  /** Resolves when the report is stored and need not be delivered again; rejects if it must be. */
  readonly onReport: (report: DeliveryReport) => Promise<void>;
  /**
   * Called with the result of an SMS that was passed to the modem earlier, in this run of the agent or a
   * previous one, by its dispatch id. May be called again for the same SMS.
   */
  readonly onHandedOver: (id: string, handover: SendResult, about: SendDetails) => void;
}

export interface SendDetails {
  /** Recipient; empty if no longer known. */
  readonly number: string;
  /** Time of sending, milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface Modem {
  /** 1-based, as the server counts the SIMs of a device. */
  readonly slot: number;
  /** True if it would send an SMS now, as far as known. */
  readonly isReady: boolean;
  /**
   * Starts the modem and resolves soon, even if it is not plugged in: `readState` then reports the problem,
   * and opening is retried until `close`. Called once.
   */
  open(events: ModemEvents): Promise<void>;
  /**
   * Lists the complete SMS in its storage, oldest first. An incomplete SMS is left out until its parts
   * arrive, or until it has waited long enough to be returned as it is.
   * @throws InboxError if they cannot be read
   */
  list(): Promise<readonly ModemSms[]>;
  /** Deletes SMS permanently. A missing SMS is not an error. */
  remove(places: readonly string[]): Promise<void>;
  /**
   * Sends one SMS in as many parts as needed, and requests a delivery report. Called again only after this
   * has resolved. Never rejects. The SMS is sent at most once, even if the program or this process ends.
   */
  send(sms: OutgoingSms): Promise<SendResult>;
  readState(): Promise<ModemState>;
  /** Ends the program where it is this agent's own. */
  close(): Promise<void>;
}
