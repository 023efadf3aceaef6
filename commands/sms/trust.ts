/** `kashbox sms trust` */
import { boolean } from '@oclif/core/flags';
import {
  distrustSource,
  listSources,
  type SourceView,
  sourceView,
  trustSource,
} from '../../src/actions/sms/trust-sources.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { minute } from '../../src/base/values/clock.js';
import { command } from '../../src/cli/command/define.js';
import { listFlags, optionalWord } from '../../src/cli/command/flags.js';

export default command({
  summary: 'List senders of your own, or trust one.',
  description:
    'Money that a sender of your own reports needs manual review. After people have approved ten of its ' +
    'texts you can trust it: its texts are then one of the two witnesses that settle a payment. Trust ' +
    'ends if its file changes. Without a name it lists the senders. Exit code 4: too few were approved.',
  examples: ['$', '$ tallypay', '$ tallypay --revoke', '$ --json'],
  args: { name: optionalWord('Name of the source.') },
  flags: { ...listFlags, revoke: boolean({ description: 'No longer trust it.' }) },
  async run({ cli, args: { name }, flags }) {
    const core = await cli.core();
    if (name === undefined) {
      if (flags.revoke) refuse('Missing the name of the source', 'List them: kashbox sms trust');
      return cli.showList(await listSources(core), flags, LISTING);
    }
    const input = { name: name.toLowerCase(), who: cli.who };
    if (flags.revoke) {
      const view = await distrustSource(core, input);
      return cli.show(view, flags, () => [
        `Kashbox does not trust ${view?.title ?? name}: its money needs manual review.`,
      ]);
    }
    const view = await trustSource(core, input);
    cli.show(view, flags, ({ title, approved }) => [
      `${title} is trusted: ${approved} of its texts were approved.`,
      'Money that waits is judged again with: kashbox sms reparse',
    ]);
  },
});

const LISTING = {
  columns: [
    { head: 'NAME', text: ({ name }: SourceView) => name },
    { head: 'SENDERS', text: ({ senders }: SourceView) => senders.join(', '), shrinks: true },
    { head: 'CHANNEL', text: ({ channel }: SourceView) => channel },
    { head: 'ACCOUNT', text: ({ account }: SourceView) => account ?? 'the only one', shrinks: true },
    { head: 'READ', text: ({ read }: SourceView) => String(read), align: 'right' },
    { head: 'UNREAD', text: ({ unread }: SourceView) => String(unread), align: 'right' },
    { head: 'APPROVED', text: ({ approved }: SourceView) => String(approved), align: 'right' },
    { head: 'TRUSTED', text: trustText },
  ],
  csv: sourceView.csv(),
  empty: 'No senders of your own. Add one: kashbox sms learn SENDER, or see kashbox sms learn --list',
} as const;

function trustText({ trust, trusted_at: at }: SourceView): string {
  if (at === null) return 'no';
  return trust === 'lapsed' ? 'no: its file has changed' : `since ${minute(at)}`;
}
