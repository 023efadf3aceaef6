/** The tables of relay phones: the phones, what is sent through them, and what is told of them. */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import type { AlertKind } from '../../domain/alerts/alert.js';
import type { DispatchState, SmsEncoding } from '../../domain/dispatches/dispatch.js';

export interface DeviceTable {
  id: string;
  merchant_id: string;
  name: string;
  key_hash: string;
  key_hint: string;
  gateway_key_hash: string;
  gateway_key_hint: string;
  revoked_at: number | null;
  last_seen_at: number | null;
  battery: number | null;
  charging: number | null;
  network: string | null;
  queued: number | null;
  app_version: string | null;
  created_at: number;
  /** The state that was last noted of it; empty before the first look. */
  watched_state: string;
  /** What spoke for it last; empty before the first call. */
  agent: '' | 'relay' | 'app' | 'forwarder' | 'script';
  /** From when on it is to send its SMS again; null while nothing is missed. */
  resend_since: number | null;
  /** Its problem, as reported by the phone; null if there is none. */
  problem: string | null;
  /** JSON list of what its GSM modems say (domain/devices/modem-reading); null where it has none. */
  modems: string | null;
  /** How far its clock is ahead of ours, and since when that is so; null while nothing shows it. */
  clock_offset_ms: number | null;
  clock_since: number | null;
  /** Refused hand-overs of a forwarder app; after a day without one they count from 1 again. */
  refused: number | null;
  refused_since: number | null;
  /** When the last one was. */
  refused_at: number | null;
}

export interface DeviceSimTable {
  device_id: string;
  slot: number;
  number: string;
  /** From when on that number is in the slot, milliseconds since the epoch; 0 for always. */
  since: number;
}

export interface PairingCodeTable {
  code_hash: string;
  device_id: string;
  /** Sealed JSON `{device_key, gateway_key}`, purpose `pairing:<device>`; gone once used. */
  sealed_keys: string | null;
  expires_at: number;
  used_at: number | null;
}

/** One outbound SMS. */
export interface DispatchTable {
  id: string;
  device_id: string;
  merchant_id: string;
  /** Unique per phone; null where the sender gave none. */
  idempotency_key: string | null;
  /** E.164. */
  number: string;
  message: string;
  encoding: SmsEncoding;
  parts: number;
  /** 1 for the first SIM; null leaves it to the phone. */
  sim_slot: number | null;
  /** Higher goes first. */
  priority: number;
  state: DispatchState;
  /** One letter a part: see domain/dispatches/dispatch. */
  part_states: string;
  /** Names of counted receipts, with spaces between, where a phone sends one a part and not for which. */
  receipts: string | null;
  /** Why it failed, in the phone's words. */
  error: string | null;
  created_at: number;
  expires_at: number;
  /** When it was leased last. */
  leased_at: number | null;
  /** The phone's journal that it was leased to; null for a phone that names none. */
  leased_to: string | null;
  /** After that nobody knows whether it was sent. */
  lease_ends_at: number | null;
  sent_at: number | null;
  delivered_at: number | null;
  /** When it came to a state in which nothing more is awaited. */
  ended_at: number | null;
}

/** One thing an operator ought to know, told once an incident. */
export interface AlertTable {
  id: string;
  kind: AlertKind;
  merchant_id: string | null;
  device_id: string | null;
  /** Names the incident; unique, so that of several daemons one reports it. */
  incident: string;
  /** JSON object for people and scripts. */
  detail: string;
  at: number;
  /** When the problem was over; null while it lasts. News of an end is over at once. */
  ended_at: number | null;
}

/** Where alerts are sent. */
export interface AlertTargetTable {
  id: string;
  kind: 'webhook' | 'command' | 'telegram' | 'email';
  /** Sealed JSON of address or command and credentials, purpose `alert-target:<id>`. */
  secret: string;
  /** What may be shown of it. */
  hint: string;
  /** Knows the same place again; tells nothing of it. */
  fingerprint: string;
  created_at: number;
  removed_at: number | null;
  /** Words that say which kinds it wants, with spaces between (domain/alerts/alert). */
  events: string;
  /** Whether these take `payment.completed`: asked with every payment. */
  tells_payments: number;
  /** Minutes since midnight in Bangladesh, both null for none. */
  quiet_from: number | null;
  quiet_until: number | null;
  /** Whether urgent news waits, too. */
  quiet_all: number;
  /** Minutes since midnight at which it is told of the day; null for never. */
  daily_at: number | null;
  /** When that is due next. */
  daily_due: number | null;
  /** Whether what it is told of a verification carries buttons. */
  buttons: number;
  /** Telegram's ids of users whose presses count, with spaces between; empty for every member. */
  approvers: string;
  /** Until then it has asked to be left alone, in milliseconds since the epoch; null where it has not. */
  paused_until: number | null;
}

/** Why a message is held: until the end of quiet hours, or as one of many of its kind. */
export type HeldFor = 'quiet' | 'many';

/** One alert for one target. */
export interface AlertMessageTable {
  id: string;
  alert_id: string;
  target_id: string;
  /** `HELD`: waits for what `held_for` says. `SUMMED`: told as part of a summary. */
  state: 'PENDING' | 'HELD' | 'SUMMED' | 'DELIVERED' | 'FAILED';
  tries: number;
  next_at: number | null;
  error: string | null;
  /** 1: told before those that are 0. */
  urgent: number;
  held_for: HeldFor | null;
}

/** Which process reads the presses of a bot, and how far it is. */
interface BotPollTable {
  /** Digest of the Bot API's address and the bot's number. */
  bot: string;
  /** Text of the process. */
  holder: string;
  /** Then another one may read, milliseconds since the epoch. */
  until: number;
  /** The number of the first update that is not read yet. */
  next_update: number;
}

/** A button that was pressed: each works once. */
export interface ButtonPressTable {
  message_id: string;
  /** The button (domain/alerts/telegram). */
  action: string;
  /** Version of the facts that it carried. */
  facts: string;
  at: number;
  who: string;
}

/** A place in the chain of a wallet's balances at which money moved that no SMS reports. */
export interface SmsGapTable {
  id: string;
  merchant_id: string;
  /** The phone that is asked to send again what it has; null where none brought these SMS. */
  device_id: string | null;
  channel: MfsChannel;
  recipient: string;
  /** The SMS whose balance does not follow; one gap each. */
  sms_id: string;
  /** The one before it, as far as is known. */
  before_id: string;
  /** What the SMS between must have moved, in paisa; negative where money went out. */
  missing_paisa: number;
  /** The time of the SMS before: from when on a phone is asked to send again. */
  since: number;
  found_at: number;
  /** When the phone was last asked to send again what it has. */
  asked_at: number | null;
  /** When it had done so. */
  answered_at: number | null;
  /** The incident of the alert that reports it; gaps of one wallet share one. */
  alert: string | null;
  /** When it is to be looked at again; null once it is closed. */
  look_at: number | null;
  closed_at: number | null;
  /** `sms`: what was missing came. Otherwise who closed it. */
  closed_by: string | null;
}

/** How far SMS have been looked at for gaps: one row. */
interface GapLookTable {
  id: number;
  stored_at: number;
  sms_id: string;
}

export interface PhoneTables {
  devices: DeviceTable;
  device_sims: DeviceSimTable;
  pairing_codes: PairingCodeTable;
  dispatches: DispatchTable;
  alerts: AlertTable;
  alert_targets: AlertTargetTable;
  alert_messages: AlertMessageTable;
  bot_polls: BotPollTable;
  button_presses: ButtonPressTable;
  gap_looks: GapLookTable;
  sms_gaps: SmsGapTable;
}
