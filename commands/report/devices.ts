/** `kashbox report devices` */
import { deviceReportView, reportDevices } from '../../src/actions/reports/report-devices.js';
import { sumOf } from '../../src/actions/reports/report-payments.js';
import { minute } from '../../src/base/values/clock.js';
import { merchantFlag } from '../../src/cli/command/flags.js';
import { report, toReport } from '../../src/cli/command/report.js';
import { countWithSome, lengthText } from '../../src/cli/text/report-text.js';
import { merchantColumn, numberColumn, shrinking } from '../../src/cli/text/table.js';

export default report({
  summary: 'Report phone activity.',
  description:
    'SMS: stored in these days; MONEY: reports received money; UNREAD: matches no format; PAID: completed ' +
    'payments; SILENT: time without contact, after 15 minutes; GAPS: missing SMS; SENT: outbound SMS.',
  examples: ['$', '$ --days 7', '$ --since 2026-08-01 --until 2026-09-01 --csv > phones.csv'],
  flags: { merchant: merchantFlag },
  title: 'Phones',
  empty: 'There are no phones.',
  async read({ core, flags: { merchant }, days }) {
    const rows = await reportDevices(core, { merchant, ...days });
    type Row = (typeof rows)[number];
    const state = { head: 'STATE', text: (row: Row) => row.state, isState: true };
    const right = (head: string, text: (row: Row) => string) => ({ head, text, align: 'right' as const });
    const silent = right('SILENT', ({ silent_minutes }) => lengthText(silent_minutes));
    const gaps = right('GAPS', (row) => countWithSome(row.gaps, row.open_gaps, 'open'));
    const sent = right('SENT', (row) => countWithSome(row.sent, row.failed, 'failed'));
    return toReport(rows, {
      csv: deviceReportView.csv(),
      // A column of nothing takes the room of names.
      columns: [
        shrinking('name', 'PHONE'),
        state,
        numberColumn('sms'),
        numberColumn('money'),
        ...(rows.some(({ unread }) => unread > 0) ? [numberColumn('unread')] : []),
        numberColumn('paid'),
        silent,
        gaps,
        ...(rows.some((row) => row.sent + row.failed > 0) ? [sent] : []),
      ],
      pageColumns: [
        { head: 'PHONE', text: ({ name }) => name },
        ...merchantColumn(rows),
        state,
        { head: 'LAST HEARD', text: ({ last_seen_at }) => minute(last_seen_at) },
        numberColumn('sms'),
        numberColumn('money'),
        numberColumn('unread'),
        numberColumn('other'),
        numberColumn('completed'),
        numberColumn('paid'),
        silent,
        gaps,
        sent,
      ],
      chart: {
        kind: 'bars',
        title: 'Paid by SMS of each phone',
        label: ({ name }) => name,
        amount: ({ paid }) => paid,
      },
      notes: async () => [`Paid by SMS of phones: ${sumOf(rows, 'paid')} BDT`],
    });
  },
});
