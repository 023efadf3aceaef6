/** `kashbox alert-targets list` */
import { listAlertTargets, targetView } from '../../src/actions/alerts/alert-targets.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { targetCard } from '../../src/cli/text/alert-text.js';

export default list({
  summary: 'List alert targets.',
  description:
    'What is told at each, and when; then how many alerts are to be told there now, how many wait for the end of its ' +
    'quiet hours, and how many were given up: "kashbox alerts list" says why.',
  examples: ['$', '$ --ndjson | kashbox alert-targets delete -'],
  empty: 'Nobody is told of alerts yet. Say where: kashbox alert-targets create --help',
  async read({ core }) {
    return rowsAs(await listAlertTargets(core), {
      lines: targetCard,
      csv: targetView.csv(),
    });
  },
});
