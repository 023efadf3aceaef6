/** Tables of relay phones: the phones, the SMS sent through them, and alerts about them. */
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
  /** State recorded last; empty before the first check. */
  watched_state: string;
  /** Kind of client that sent the last request; empty before the first. */
  agent: '' | 'relay' | 'app' | 'forwarder' | 'script';
  /** Time from which the phone must send its SMS again; null if nothing is missing. */
  resend_since: number | null;
  /** Problem reported by the phone; null if there is none. */
  problem: string | null;
  /** JSON list of what its GSM modems say (domain/devices/modem-reading); null where it has none. */
  modems: string | null;
  /** Positive if it is ahead of the server's, and the time since which that applies; or null. */
  clock_offset_ms: number | null;
  clock_since: number | null;
  /** Refused hand-overs of a forwarder app; after a day without one they count from 1 again. */
  refused: number | null;
  refused_since: number | null;
  /** Time of the last one. */
  refused_at: number | null;
}

export interface DeviceSimTable {
  device_id: string;
  slot: number;
  number: string;
  /** Time from which that number is in the slot, milliseconds since the epoch; 0 for always. */
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
  /** Error text from the phone. */
  error: string | null;
  created_at: number;
  expires_at: number;
  leased_at: number | null;
  /** The phone's journal that it was leased to; null for a phone that names none. */
  leased_to: string | null;
  /** End of the lease; after it nobody knows if the SMS was sent. */
  lease_ends_at: number | null;
  sent_at: number | null;
  delivered_at: number | null;
  /** Time at which it reached a final state. */
  ended_at: number | null;
}

/** Incident that an operator should know about, reported once. */
export interface AlertTable {
  id: string;
  kind: AlertKind;
  merchant_id: string | null;
  device_id: string | null;
  /** Key of the incident; unique, so that only one of several daemons reports it. */
  incident: string;
  /** JSON object for people and scripts. */
  detail: string;
  at: number;
  /** Null while the problem lasts. Alerts of kinds that do not last end immediately. */
  ended_at: number | null;
}

export interface AlertTargetTable {
  id: string;
  kind: 'webhook' | 'command' | 'telegram' | 'email';
  /** Sealed JSON of address or command and credentials, purpose `alert-target:<id>`. */
  secret: string;
  /** Part of the address that may be shown. */
  hint: string;
  /** Digest that detects the same destination; it reveals nothing about it. */
  fingerprint: string;
  created_at: number;
  removed_at: number | null;
  /** Words that say which kinds it wants, with spaces between (domain/alerts/alert). */
  events: string;
  /** True (1) if `events` includes `payment.completed`: read for every payment. */
  tells_payments: number;
  /** Minutes since midnight in Bangladesh, both null for none. */
  quiet_from: number | null;
  quiet_until: number | null;
  /** True (1) if urgent alerts wait, too. */
  quiet_all: number;
  /** Time of its daily summary, minutes since midnight; null for never. */
  daily_at: number | null;
  /** Time at which the next one is due. */
  daily_due: number | null;
  /** True (1) if its verification messages have buttons. */
  buttons: number;
  /** Telegram's ids of users whose presses count, with spaces between; empty for every member. */
  approvers: string;
  /** Time until which the target asked for no messages, milliseconds since the epoch; null if it did not. */
  paused_until: number | null;
}

/** Reason for holding a message: quiet hours, or too many of its kind. */
export type HeldFor = 'quiet' | 'many';

/** One alert for one target. */
export interface AlertMessageTable {
  id: string;
  alert_id: string;
  target_id: string;
  /** `HELD`: waits for the reason in `held_for`. `SUMMED`: sent as part of a summary. */
  state: 'PENDING' | 'HELD' | 'SUMMED' | 'DELIVERED' | 'FAILED';
  tries: number;
  next_at: number | null;
  error: string | null;
  /** Priority: 1 is sent before 0. */
  urgent: number;
  held_for: HeldFor | null;
}

/** Process that polls the button presses of a bot, and its position. */
interface BotPollTable {
  /** Digest of the Bot API's address and the bot's number. */
  bot: string;
  /** Text of the process. */
  holder: string;
  /** End of its lease, after which another process may poll, milliseconds since the epoch. */
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
  /** Phone that is asked to send its SMS again; null if no phone delivered these SMS. */
  device_id: string | null;
  channel: MfsChannel;
  recipient: string;
  /** The SMS whose balance does not follow; one gap each. */
  sms_id: string;
  /** The one before it, as far as is known. */
  before_id: string;
  /** Expected sum of the missing SMS, in paisa; negative if money went out. */
  missing_paisa: number;
  /** Time of the SMS before the gap: from then on a phone is asked to send again. */
  since: number;
  found_at: number;
  /** Time at which the phone was last asked to send its SMS again. */
  asked_at: number | null;
  /** Time at which it had done so. */
  answered_at: number | null;
  /** The incident of the alert that reports it; gaps of one wallet share one. */
  alert: string | null;
  /** Time of the next check; null once it is closed. */
  look_at: number | null;
  closed_at: number | null;
  /** `sms` if the missing SMS arrived, else the person who closed it. */
  closed_by: string | null;
}

/** Position up to which SMS have been checked for gaps: one row. */
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
