/** What has happened to a payment, in a line. */
import type { happenedView } from '../../actions/sessions/list-payments.js';
import { pad, visible } from '../../base/values/cells.js';

type Happened = ReturnType<typeof happenedView>;

/** The longest event. */
const EVENT_WIDTH = 'completed'.length;
const AMOUNT_WIDTH = 12;

export function happenedLine({ at, event, payment }: Happened): string {
  const by = [payment.channel, payment.transaction_id].filter((part) => part !== null).join(' ');
  const parts = [
    at.slice(11, 19),
    pad(event, EVENT_WIDTH, undefined),
    payment.gateway_reference,
    pad(payment.amount, AMOUNT_WIDTH, 'right'),
    payment.brand,
    payment.cus_name,
    by,
  ];
  return visible(parts.filter((part) => part !== '').join('  '));
}
