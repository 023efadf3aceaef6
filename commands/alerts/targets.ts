/** `kashbox alerts targets` */
import { list, rowsAs } from '../../src/cli/command/define.js';

export default list({
  summary: 'List where alerts are told.',
  description:
    'EVENTS is what is told there. WAITING counts alerts that are to be told there, HELD those that wait for the end ' +
    'of its quiet hours, DEAD those that were given up; "kashbox alerts list" says why. --json has all.',
  examples: ['$', '$ --ndjson | kashbox alerts remove -'],
  empty: 'Nobody is told of alerts yet. Say where: kashbox alerts add --help',
  async read({ core }) {
    const { listAlertTargets, targetView } = await import('../../src/actions/alerts/alert-targets.js');
    return rowsAs(await listAlertTargets(core), {
      columns: [
        'id',
        'kind',
        { head: 'WHERE', text: (row) => row.hint, shrinks: true },
        { head: 'EVENTS', text: (row) => row.events.join(', '), shrinks: true },
        { head: 'QUIET', text: (row) => row.quiet ?? '' },
        { head: 'DAILY', text: (row) => row.daily ?? '' },
        { head: 'WAITING', text: (row) => String(row.waiting), align: 'right' },
        { head: 'HELD', text: (row) => String(row.held), align: 'right' },
        { head: 'DEAD', text: (row) => String(row.dead), align: 'right' },
      ],
      csv: targetView.csv(),
    });
  },
});
