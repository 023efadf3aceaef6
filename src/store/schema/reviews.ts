/** The tables of what a person decides, what shops are told, and how jobs are doing. */
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { ReviewReason } from '../../domain/matching/matching.js';
import type {
  AttemptOutcome,
  NotificationEvent,
  NotificationState,
  WebhookFormat,
} from '../../domain/notifications/notification.js';
import type { SlipOutcome, SlipType } from '../../domain/reviews/slip.js';

export interface ReviewTable {
  id: string;
  session_id: string;
  channel: PayChannel;
  reference: string;
  proof_id: string | null;
  reason: ReviewReason;
  state: 'OPEN' | 'APPROVED' | 'REJECTED';
  created_at: number;
  decided_at: number | null;
  decided_by: string | null;
  note: string | null;
  /** What became of the slip that the customer gave; null where there was none. */
  slip: SlipOutcome | null;
  /** What the customer wrote to the seller; null where nothing. */
  customer_note: string | null;
}

/** What a customer uploaded to show a bank transfer. Only an operator ever gets to see it. */
interface SlipTable {
  review_id: string;
  media_type: SlipType;
  bytes: number;
  sha256: string;
  /** Base64. */
  content: string;
  created_at: number;
}

/** The last day on which a brand was given slips. */
interface SlipDayTable {
  brand_id: string;
  /** `2026-08-21`, of Bangladesh time. */
  day: string;
  /** Of the slips that were kept on it. */
  bytes: number;
}

/** One event for one address. Due work is a row: no timer is trusted. */
export interface NotificationTable {
  /** The `webhook-id`, the same over all attempts. */
  id: string;
  brand_id: string;
  /** Null for a test. */
  session_id: string | null;
  event: NotificationEvent;
  /** 1 for the first notification of its session, then 2 … */
  sequence: number;
  url: string;
  /** Scheme, host and port of the address: what is bounded, backed off and told apart. */
  endpoint: string;
  /** Brand and endpoint (domain/notifications/fair-share): what waits for one another, and for no others. */
  lane: string;
  format: WebhookFormat;
  /** The body, as it is signed and sent. */
  content: string;
  state: NotificationState;
  /** Attempts of the present schedule; a replay begins a new one. */
  tries: number;
  /** Due from this time on. An attempt first moves it behind its own deadline. */
  next_at: number;
  /** Text of who made the present attempt. */
  lease: string | null;
  created_at: number;
  closed_at: number | null;
}

interface AttemptTable {
  id: string;
  notification_id: string;
  at: number;
  ms: number;
  outcome: AttemptOutcome;
  /** HTTP status, null where there was no answer. */
  status: number | null;
  /** What happened, in words. */
  detail: string;
  /** The beginning of the answer's body, at most 1 KiB. */
  answer: string | null;
  /** `schedule`, or who asked for it. */
  asked_by: string;
}

/** How much strangers have used of a limit of the day. */
interface StrangerUseTable {
  /** A hash of what is counted, and for whom. */
  name: string;
  day: string;
  used: number;
}

/** How a job of the daemons did when it last ran. */
export interface JobRunTable {
  name: string;
  runs: number;
  errors: number;
  last_at: number;
  last_ms: number;
  last_done: number | null;
  last_error: string | null;
}

export interface ReviewTables {
  reviews: ReviewTable;
  slips: SlipTable;
  slip_days: SlipDayTable;
  stranger_uses: StrangerUseTable;
  notifications: NotificationTable;
  attempts: AttemptTable;
  job_runs: JobRunTable;
}
