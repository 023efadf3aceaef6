/** The tables of what a person decides; the others stand in schema.ts. */
import type { ReviewReason } from '../../domain/matching/matching.js';
import type { SlipFate, SlipType } from '../../domain/reviews/slip.js';

export interface ReviewTable {
  id: string;
  session_id: string;
  channel: string;
  reference: string;
  proof_id: string | null;
  reason: ReviewReason;
  state: 'OPEN' | 'APPROVED' | 'REJECTED';
  created_at: number;
  decided_at: number | null;
  decided_by: string | null;
  note: string | null;
  /** What became of the slip that the customer gave; null where there was none. */
  slip: SlipFate | null;
}

/** What a customer uploaded to show a bank transfer. Only an operator ever gets to see it. */
export interface SlipTable {
  review_id: string;
  media_type: SlipType;
  bytes: number;
  sha256: string;
  /** Base64. */
  content: string;
  created_at: number;
}

/** The last day on which a brand was given slips. */
export interface SlipDayTable {
  brand_id: string;
  /** `2026-08-21`, of Bangladesh time. */
  day: string;
  /** Of the slips that were kept on it. */
  bytes: number;
}
