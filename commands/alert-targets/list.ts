/** `kashbox alert-targets list` */
import { listAlertTargets, targetView } from '../../src/actions/alerts/alert-targets.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { targetCard } from '../../src/cli/text/alert-text.js';

export default list({
  summary: 'List alert targets.',
  description:
    'For each target: its events, its times, and how many alerts are queued, delayed by quiet hours, or ' +
    'failed. "kashbox alerts list" shows why.',
  examples: ['$', '$ --ndjson | kashbox alert-targets delete -'],
  empty: 'Nobody is told of alerts yet. Say where: kashbox alert-targets create --help',
  async read({ core }) {
    return rowsAs(await listAlertTargets(core), {
      lines: targetCard,
      csv: targetView.csv(),
    });
  },
});
