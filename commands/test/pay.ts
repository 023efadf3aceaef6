/** `kashbox test pay` */
import { option } from '@oclif/core/flags';
import { playMoney } from '../../src/actions/test-payments/play-money.js';
import { command } from '../../src/cli/command/define.js';
import { oneWord } from '../../src/cli/command/flags.js';
import { playedSheet } from '../../src/cli/text/played-sheet.js';
import { MFS_ACCOUNT_TYPES, MFS_CHANNELS } from '../../src/domain/accounts/channels.js';
import { PLAYS } from '../../src/domain/accounts/test-accounts.js';

const TYPES = [...new Set(Object.values(MFS_ACCOUNT_TYPES).flat())];

export default command({
  summary: 'Play the wallet for a payment of a test brand.',
  description:
    'The SMS that the wallet would send is written and taken in as if a phone had brought it, and the payment ' +
    'settles as with real money. Payments of live brands are refused. --as says what comes: exact, what is due; ' +
    'less, more; other_type, to an account of another type; old, money of long ago; unclaimed, without the ' +
    'payment reference, so that its transaction id has to be given on the page or to verify.',
  examples: [
    '$ K7Q2M9XW4TZB',
    '$ 2b37b7eabf3f93b131a98370d3e060e9 --channel mfs_b --as less',
    '$ K7Q2M9XW4TZB --as unclaimed --json',
  ],
  args: { payment: oneWord('Number or id of a payment') },
  flags: {
    channel: option({ options: MFS_CHANNELS, description: 'Wallet that is played; the first if absent.' })(),
    type: option({ options: TYPES, description: 'Type of the account that is paid; personal if absent.' })(),
    as: option({ options: PLAYS, default: 'exact', description: 'What comes, see above.' })(),
  },
  async run({ cli, flags, args }) {
    const { channel, type, as: play } = flags;
    const played = await playMoney(await cli.core(), { ...args, channel, type, play, who: cli.who });
    cli.show(played, flags, playedSheet);
  },
});
