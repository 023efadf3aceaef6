/** Tables of reviews, notifications to shops, and job runs. */
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
  /** Outcome of the slip that the customer uploaded; null if there was none. */
  slip: SlipOutcome | null;
  /** Note from the customer to the seller; null if there was none. */
  customer_note: string | null;
}

/** Customer's upload that shows a bank transfer. Only operators can see it. */
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
  /** Size of the slips stored on that day. */
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
  /** Scheme, host and port of the address: the unit of limits, backoff and reports. */
  endpoint: string;
  /** Brand and endpoint (domain/notifications/fair-share): what waits for one another, and for no others. */
  lane: string;
  format: WebhookFormat;
  /** The body, as it is signed and sent. */
  content: string;
  state: NotificationState;
  /** Attempts of the present schedule; a replay begins a new one. */
  tries: number;
  /** Time from which it is due. An attempt first moves it to a time after its own deadline. */
  next_at: number;
  /** Token of the process that makes the current attempt. */
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
  /** Outcome in words. */
  detail: string;
  /** The beginning of the answer's body, at most 1 KiB. */
  answer: string | null;
  /** `schedule`, or the person who requested it. */
  asked_by: string;
}

/** Use of a daily limit for strangers. */
interface StrangerUseTable {
  /** Hash of the limit and of the caller it applies to. */
  name: string;
  day: string;
  used: number;
}

/** Result of the last run of a daemon job. */
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
