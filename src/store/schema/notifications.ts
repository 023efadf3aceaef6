/** The tables of what shops are told and of how jobs are doing. */
import type {
  AttemptOutcome,
  NotificationEvent,
  NotificationState,
  WebhookFormat,
} from '../../domain/notifications/notification.js';

/** One event for one address (design.md section 5). Due work is a row: no timer is trusted. */
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
  /**
   * Brand and endpoint (domain/notifications/fair-share): what goes one after the other and waits for no
   * other.
   */
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

export interface AttemptTable {
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
