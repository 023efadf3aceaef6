/** `kashbox alerts targets` */
import { list, rowsAs } from '../../src/cli/command/define.js';

export default list({
  summary: 'List where alerts are told.',
  description:
    'WAITING counts alerts that are to be told there, DEAD those that were given up; "kashbox alerts list" says why.',
  examples: ['$', '$ --ndjson | kashbox alerts remove -'],
  empty: 'Nobody is told of alerts yet. Say where: kashbox alerts add --help',
  async read({ core }) {
    const { listAlertTargets, targetView } = await import('../../src/actions/alerts/alert-targets.js');
    return rowsAs(await listAlertTargets(core), {
      columns: [
        'id',
        'kind',
        { head: 'WHERE', text: (row) => row.hint, shrinks: true },
        { head: 'WAITING', text: (row) => String(row.waiting), align: 'right' },
        { head: 'DEAD', text: (row) => String(row.dead), align: 'right' },
      ],
      csv: targetView.csv(),
    });
  },
});
