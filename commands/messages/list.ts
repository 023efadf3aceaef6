/** `kashbox messages list` */
import { option } from '@oclif/core/flags';
import { dispatchPages, dispatchView } from '../../src/actions/dispatches/dispatches.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { spanFlags, text } from '../../src/cli/command/flags.js';
import { dayAndTime, shrinking } from '../../src/cli/text/table.js';
import { DISPATCH_STATES } from '../../src/domain/dispatches/dispatch.js';

export default pagedList({
  summary: 'List outbound SMS.',
  examples: ['$ --device counter-1 --since 1d', '$ --status FAILED --json'],
  flags: {
    device: text('DEVICE', 'Phone ID or name.', { kind: 'id' }),
    status: option({ options: DISPATCH_STATES, description: 'Only this status.' })(),
    ...spanFlags,
  },
  empty: 'There are no such SMS.',
  async read({ core, flags: { device, status: state }, now, sinceMs, untilMs, limit }) {
    return pagesAs(dispatchPages(core, { device, state, sinceMs, untilMs, limit }), {
      columns: [
        { head: 'QUEUED', text: (row) => dayAndTime(row.queued_at, now) },
        shrinking('device'),
        { head: 'TO', text: (row) => row.number },
        'state',
        { head: 'PARTS', text: (row) => `${row.parts_sent}/${row.parts}`, align: 'right' },
        { head: 'TEXT', text: (row) => row.error ?? row.message, shrinks: true },
      ],
      // What may be long comes last.
      csv: [...dispatchView.csv('message', 'error'), 'error', 'message'],
    });
  },
});
