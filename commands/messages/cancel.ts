/** `kashbox messages cancel` */
import { cancelDispatch } from '../../src/actions/dispatches/dispatches.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { dispatchSheet } from '../../src/cli/text/dispatch-sheet.js';

export default bulkCommand({
  summary: 'Cancel queued SMS.',
  description: 'Only QUEUED messages can be cancelled; once a phone has fetched one, it may have been sent.',
  examples: [
    '$ dsp_0123456789abcdef01234567',
    'kashbox messages list --device counter-1 --status QUEUED --ndjson | $ -',
  ],
  args: { dispatches: many('IDs of outbound SMS') },
  one: ({ core, who }, id) => cancelDispatch(core, { id, who }),
  lines: dispatchSheet,
});
