/** Refunds: their states, and what each means. Pure. */

export const REFUND_STATES = ['PENDING', 'COMPLETED', 'CANCELLED'] as const;
/** `PENDING`: to be sent. `COMPLETED`: sent, as a proof or the operator says. */
export type RefundState = (typeof REFUND_STATES)[number];
