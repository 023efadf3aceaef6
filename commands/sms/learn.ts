/** `kashbox sms learn` */
import { boolean } from '@oclif/core/flags';
import {
  findExample,
  findKnownSource,
  type LearnedSource,
  learnKnownSource,
  learnSource,
  listKnownSources,
} from '../../src/actions/sms/learn-source.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { visible } from '../../src/base/values/cells.js';
import { MARKED_VALUES, type MarkedValue, type Marks } from '../../src/channels/mfs/index.js';
import { command } from '../../src/cli/command/define.js';
import { merchantFlag, optionalWord, repeated, text } from '../../src/cli/command/flags.js';
import { promptMarks } from '../../src/cli/input/mark-prompts.js';
import { textFrom } from '../../src/cli/input/pipe-lines.js';

export default command({
  summary: 'Make an SMS format from a text.',
  description:
    'For senders other than wallets, such as your bank, and for new words of a wallet. It takes the ' +
    'most frequent text of the sender that seems to report money, prompts for the words that are the amount, the ' +
    'id, the payer, the balance and the time, and writes a file into the formats folder. Nothing is ' +
    'written that also reads a forged variant of the text. Flags and --yes answer without questions; ' +
    '"-" as a value means that the text has none. --list lists the senders that Kashbox knows. ' +
    'Exit code 4: the file exists.',
  examples: [
    '$ --list',
    '$ ebl --channel bank',
    '$ "MY BANK"',
    '$ "MY BANK" --text "BDT 500.00 credited to A/C 12**34 by Rahim. Balance BDT 900.00" --payer Rahim --channel bank --yes',
  ],
  args: { sender: optionalWord('Sender as the phone shows it, or a name of --list.') },
  flags: {
    list: boolean({ description: 'List the senders that Kashbox knows.' }),
    merchant: merchantFlag,
    text: text('TEXT', 'The text; "-" reads stdin (default: the most frequent stored one).'),
    amount: text('TEXT', 'Part of the text that is the amount.'),
    id: text('TEXT', 'Part that is the transaction ID.'),
    payer: text('TEXT', 'Part that is the payer.'),
    balance: text('TEXT', 'Part that is the balance.'),
    date: text('TEXT', 'Part that is the time.'),
    skip: repeated('TEXT', 'Part that differs and is not used.'),
    channel: text('CHANNEL', 'Where its money comes in: qr_interbank, bank, mfs_a to mfs_d.', {
      kind: 'channel',
    }),
    account: text('NUMBER', 'Account, if there are several on the channel.'),
    name: text('NAME', 'Name of the file and the source.'),
    title: text('TITLE', 'Name for people, such as "My Bank".'),
    add: boolean({ description: 'Add the text to the file that exists.', exclusive: ['replace'] }),
    replace: boolean({ description: 'Overwrite the file that exists.' }),
    yes: boolean({ description: 'Prompt for nothing.' }),
  },
  async run({ cli, args: { sender }, flags }) {
    if (flags.list) return cli.show(listKnownSources(), flags, (all) => all.flatMap(knownLines));
    if (sender === undefined) refuse('Missing the sender', 'For example: kashbox sms learn "MY BANK"');
    const core = await cli.core();
    const { channel, account, replace, add } = flags;
    const choice = { channel, account, name: flags.name, title: flags.title, replace, add, who: cli.who };
    const known = flags.text === undefined && !add ? findKnownSource(core, sender) : null;
    if (known !== null) {
      return cli.show(await learnKnownSource(core, known, choice), flags, learnedLines);
    }
    const body = flags.text === '-' ? await textFrom(process.stdin) : flags.text;
    const example = await findExample(core, { sender, merchant: flags.merchant, text: body });
    const given = marksOf(flags);
    const marks = flags.yes ? given : await promptMarks(example, given);
    cli.show(await learnSource(core, example, { ...choice, marks }), flags, learnedLines);
  },
});

/** Value of a flag for "the text has none". */
const NONE = '-';

type MarkFlags = { readonly [name in MarkedValue]?: string | undefined } & {
  readonly skip?: readonly string[] | undefined;
};

function marksOf(flags: MarkFlags): Marks {
  const marks = MARKED_VALUES.flatMap((name) => {
    const part = flags[name];
    return part === undefined ? [] : [[name, part === NONE ? '' : part] as const];
  });
  return { ...Object.fromEntries(marks), skip: flags.skip ?? [] };
}

function knownLines({ name, title, senders, channel, texts }: ReturnType<typeof listKnownSources>[number]) {
  return [
    `${name}  ${title} (${senders.join(', ')}), usually ${channel}`,
    ...texts.map(({ text: example }) => `    ${visible(example.replaceAll('\n', ' '))}`),
  ];
}

function learnedLines(learned: LearnedSource): string[] {
  const { file, name, channel, template, read, unread, samples, unread_samples: others, forgeries } = learned;
  const sample = ({ amount, trx_id, from, balance, at }: (typeof samples)[number]) =>
    `  ${[amount, trx_id, from, balance === null ? null : `balance ${balance}`, at].filter((part) => part !== null).join('  ')}`;
  return [
    `Written: ${file} (${channel})`,
    ...template.map((line) => `  ${visible(line)}`),
    `Stored SMS of this sender that it reads: ${read}`,
    ...samples.map(sample),
    `Stored SMS of this sender that it does not read: ${unread}`,
    ...others.map((body) => `  ${visible(body.replaceAll('\n', ' '))}`),
    `Must not read: ${forgeries} of ${forgeries} refused`,
    '',
    `Next: restart the daemon, then kashbox sms reparse. Its money needs manual review; see kashbox sms trust ${name}`,
  ];
}
