/** `kashbox report devices` */
import { merchantFlag } from '../../src/cli/command/flags.js';
import { addedUp, report } from '../../src/cli/command/report.js';
import { numberColumn, shrinking } from '../../src/cli/text/table.js';

export default report({
  summary: 'Add up what each phone did, the one with most money first.',
  description:
    'SMS counts what was stored in these days, MONEY those that say money came in, UNREAD texts of a wallet that ' +
    'no format reads. PAID is what payments got that an SMS of the phone has completed. SILENT is how long it was ' +
    'not heard of, counted after 15 minutes and only while a daemon ran. GAPS are places where balances show a ' +
    'missing SMS, SENT and FAILED outbound SMS by the day on which they were queued. The store keeps no more of a ' +
    "phone's past than this.",
  examples: ['$', '$ --days 7', '$ --since 2026-08-01 --until 2026-09-01 --csv > phones.csv'],
  flags: { merchant: merchantFlag },
  title: 'Phones',
  empty: 'There are no phones.',
  async read({ core, flags: { merchant }, days }) {
    const { deviceReportView, reportDevices } = await import('../../src/actions/reports/report-devices.js');
    const { lengthText } = await import('../../src/cli/text/report-text.js');
    const { sumOf } = await import('../../src/actions/reports/report-payments.js');
    const { minute } = await import('../../src/cli/text/sheets.js');
    const rows = await reportDevices(core, { merchant, ...days });
    type Row = (typeof rows)[number];
    const state = { head: 'STATE', text: (row: Row) => row.state, isState: true };
    const silent = {
      head: 'SILENT',
      text: ({ silent_minutes }: Row) => lengthText(silent_minutes),
      align: 'right' as const,
    };
    const counts = [numberColumn('sms'), numberColumn('money'), numberColumn('unread')];
    const sent = [numberColumn('sent'), numberColumn('failed')];
    return addedUp(rows, {
      csv: deviceReportView.csv(),
      columns: [
        shrinking('name', 'PHONE'),
        state,
        ...counts,
        numberColumn('paid'),
        silent,
        numberColumn('gaps'),
        ...sent,
      ],
      pageColumns: [
        { head: 'PHONE', text: ({ name }) => name },
        { head: 'MERCHANT', text: (row) => row.merchant },
        state,
        { head: 'LAST HEARD', text: ({ last_seen_at }) => minute(last_seen_at) },
        ...counts,
        numberColumn('other'),
        numberColumn('completed'),
        numberColumn('paid'),
        { head: 'SILENCES', text: ({ silences }) => String(silences), align: 'right' },
        silent,
        numberColumn('gaps'),
        { head: 'OPEN GAPS', text: ({ open_gaps }) => String(open_gaps), align: 'right' },
        ...sent,
        numberColumn('unknown'),
      ],
      chart: {
        kind: 'bars',
        title: 'Paid by SMS of each phone',
        label: ({ name }) => name,
        amount: ({ paid }) => paid,
      },
      notes: async () => [`Paid by SMS of phones: ${sumOf(rows)} BDT`],
    });
  },
});
