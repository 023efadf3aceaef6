/** `kashbox messages show` */
import { findDispatch } from '../../src/actions/dispatches/dispatches.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { dispatchSheet } from '../../src/cli/text/dispatch-sheet.js';

export default bulkCommand({
  summary: 'Show outbound SMS with their delivery status.',
  examples: [
    '$ dsp_0123456789abcdef01234567',
    'kashbox messages list --status UNKNOWN --ndjson | $ - --json',
  ],
  args: { dispatches: many('IDs of outbound SMS') },
  one: ({ core }, id) => findDispatch(core, { id, deviceId: null }),
  lines: dispatchSheet,
});
