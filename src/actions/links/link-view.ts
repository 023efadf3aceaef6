/** A payment link as operators see it, in text, JSON and CSV. */
import { formatTaka } from '../../base/values/money.js';
import { linkStateAt, parseLinkFields } from '../../domain/links/link.js';
import { parseSuggestedColumn } from '../../domain/links/quantity.js';
import type { CountedLink } from '../../store/tables/links.js';
import { pictureFacts, pictureView } from '../brands/brand-theme.js';
import { defineView } from '../input/view.js';

export type LinkView = ReturnType<typeof linkView>;

/** View of a link. Second argument: current time, ms since the epoch, and the base of link URLs. */
export const linkView = defineView<CountedLink, { readonly now: number; readonly base: string }>()(
  ({ same, times, time, taka }) => ({
    ...same('id', 'brand', 'title'),
    state: (row, { now }) => linkStateAt(row, Number(row.paid), now),
    /** Null where the customer chooses it, from `min` to `max`. */
    amount: (row) => (row.min_paisa === row.max_paisa ? formatTaka(row.min_paisa) : null),
    min: taka('min_paisa'),
    max: taka('max_paisa'),
    fields: (row) =>
      parseLinkFields(row.fields).map(({ name, label, isRequired }) => ({
        name,
        label,
        required: isRequired,
      })),
    until: time('ends_at'),
    /** Maximum number of payments; null for unlimited. */
    count: (row) => row.max_payments,
    /** Number of payments opened; `paid` is the number of them that are paid. */
    opened: (row) => Number(row.opened),
    paid: (row) => Number(row.paid),
    ...times('created_at', 'disabled_at'),
    url: (row, { base }) => `${base}/pay/${row.id}`,
    ...same('description'),
    /** Maximum number of pieces of one payment; null where the customer does not choose. */
    quantity: (row) => row.max_quantity,
    /** Amounts that the page offers. */
    suggest: (row) => parseSuggestedColumn(row.suggested).map(formatTaka),
    /** Picture on the page: its type, its size in pixels and in bytes. */
    image: (row) => pictureView(pictureFacts(row.image)),
  }),
);
