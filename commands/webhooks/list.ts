/** `kashbox webhooks list` */
import { boolean, option } from '@oclif/core/flags';
import { notificationPages, notificationView } from '../../src/actions/notifications/notifications.js';
import { numberWord } from '../../src/base/values/text.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { brandFlag, spanFlags, text } from '../../src/cli/command/flags.js';
import { notificationCard } from '../../src/cli/text/webhook-text.js';
import { MAX_TRIES, NOTIFICATION_STATES, RETRY_DAYS } from '../../src/domain/notifications/notification.js';

export default pagedList({
  summary: 'List webhook notifications.',
  description:
    `PENDING: waits for the next attempt. DELIVERED: answered with 200. FAILED: ${numberWord(MAX_TRIES)} attempts in ` +
    `${numberWord(RETRY_DAYS)} days failed. ` +
    '"kashbox webhooks show ID" shows all attempts; "kashbox webhooks replay ID" sends it again.',
  examples: [
    '$ --failed --since 7d',
    '$ --session K7Q2M9XW4TZB',
    '$ --status FAILED --ndjson | kashbox webhooks replay -',
  ],
  flags: {
    brand: brandFlag,
    session: text('PAYMENT', 'Only this payment (ID or number).', { kind: 'payment' }),
    status: option({ options: NOTIFICATION_STATES, description: 'Only this status.' })(),
    failed: boolean({
      description: 'Only failed notifications and those being retried.',
      exclusive: ['status'],
    }),
    ...spanFlags,
  },
  empty: 'There are no such notifications.',
  async read({
    core,
    flags: { brand, session: payment, status: state, failed },
    now,
    sinceMs,
    untilMs,
    limit,
  }) {
    return pagesAs(notificationPages(core, { brand, payment, state, failed, sinceMs, untilMs, limit }), {
      lines: (row) => notificationCard(row, now),
      csv: notificationView.csv('under_way'),
    });
  },
});
