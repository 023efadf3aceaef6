/**
 * Defines the kinds of commands that the files of `commands` describe: one that does one thing, one that
 * processes several items, and two kinds of lists. Passes each description to oclif.
 */
import type { Config } from '@oclif/core/config';
import type { ArgInput, BooleanFlag, FlagInput, InferredArgs, OptionFlag } from '@oclif/core/interfaces';
import type { Core } from '../../actions/core/core.js';
import { channelNamed, MFS_CHANNELS } from '../../domain/accounts/channels.js';
import { BaseCommand, type PagedOutput, type ShownRows } from './base-command.js';
import { getValueKind, limitFlag, listFlags, ndjsonFlag } from './flags.js';

type NoneOf = Record<never, never>;

interface About<F> {
  readonly summary: string;
  readonly description?: string;
  /** Example command lines; `$` stands for this command, `kashbox` for the program. */
  readonly examples: readonly string[];
  /** True if the arguments may be payment numbers. */
  readonly ofPayments?: boolean;
  /** True if the command may create an installation if none exists. */
  readonly makesHome?: boolean;
  /** Spinner label, such as `Checking`, if it can take over a second. Omit it for commands that prompt. */
  readonly doing?: string;
  readonly flags?: F;
}

/** `allowIp` of `allow-ip`. */
type Camel<Name> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

/** Values of the flags, with `--allow-ip` as `allowIp`. oclif's type infers `any` for boolean flags. */
export type FlagsOf<F> = { readonly json: boolean | undefined } & {
  readonly [K in keyof F as Camel<K>]: F[K] extends BooleanFlag<infer T>
    ? T
    : F[K] extends OptionFlag<infer T>
      ? T
      : never;
};

interface CommandGiven<F, A> {
  readonly cli: BaseCommand;
  readonly flags: FlagsOf<F>;
  readonly args: InferredArgs<A>;
}

export type CommandClass = new (argv: string[], config: Config) => BaseCommand;

const EXAMPLE_WORDS = { $: '<%= config.bin %> <%= command.id %>', kashbox: '<%= config.bin %>' } as const;

/** `$ --all | kashbox keys show -` with the names that oclif fills in. */
function exampleText(text: string): string {
  return text.replace(
    /(^|\| )(\$|kashbox)(?= |$)/g,
    (_, before: string, word: '$' | 'kashbox') => before + EXAMPLE_WORDS[word],
  );
}

function inCamelCase(flags: object): object {
  const named = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [named(name), value]));
}

/** Properties of a flag that affect the accepted spelling of its value. */
interface Spelling {
  readonly type: string;
  readonly options?: readonly string[];
}

const beginsWithChannel = (flag: Spelling) => {
  const kind = getValueKind(flag);
  return kind === 'channel' || kind === 'fee' || flag.options?.includes(String(MFS_CHANNELS[0])) === true;
};

/** `bkash`, `bkash=1.85%`, `bkash:personal:017…` begin with a channel; the case of options is free. */
function knownValue(typed: string, flag: Spelling): string {
  const end = typed.search(/[:=]/);
  const [name, rest] = end === -1 ? [typed, ''] : [typed.slice(0, end), typed.slice(end)];
  const meant = beginsWithChannel(flag) ? `${channelNamed(name) ?? name}${rest}` : typed;
  return flag.options?.find((option) => option.toLowerCase() === meant.toLowerCase()) ?? meant;
}

/** @returns the words of a command line with the values of flags as those know them; the rest as typed. */
function withKnownValues(argv: readonly string[], flags: FlagInput): string[] {
  const known = flags as Readonly<Record<string, Spelling | undefined>>;
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.map((word, at) => {
    if (at >= end) return word;
    const [name = '', value] = word.split(/=(.*)/s);
    const own = name.startsWith('--') ? known[name.slice(2)] : undefined;
    if (own !== undefined) return value === undefined ? word : `${name}=${knownValue(value, own)}`;
    const before = argv[at - 1] ?? '';
    const flag = before.startsWith('--') ? known[before.slice(2)] : undefined;
    return flag?.type === 'option' ? knownValue(word, flag) : word;
  });
}

/** Returns the values with abbreviated ids replaced by full ids. */
async function wholeIds<Values extends object>(
  cli: BaseCommand,
  values: Values,
  takes: Readonly<Record<string, object>>,
): Promise<Values> {
  const whole = { ...values } as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    const kind = getValueKind(takes[name]);
    if ((kind === 'id' || kind === 'payment') && typeof value === 'string')
      whole[name] = await cli.wholeId(value, kind === 'payment');
  }
  return whole as Values;
}

/** A command that does one thing. */
export function command<F extends FlagInput = NoneOf, A extends ArgInput = NoneOf>(
  about: About<F> & { readonly args?: A; run(given: CommandGiven<F, A>): Promise<void> },
): CommandClass {
  const { summary, description, examples, flags, args, ofPayments = false, makesHome = false } = about;
  return class extends BaseCommand {
    static override summary = summary;
    static override description = description;
    static override examples = examples.map(exampleText);
    static override flags = flags ?? {};
    static override args = args ?? {};
    static override ofPayments = ofPayments;
    static override makesHome = makesHome;

    async run(): Promise<void> {
      const parsed = await this.parse(this.ctor, withKnownValues(this.argv, this.ctor.flags));
      this.contextFlag = parsed.flags.context;
      // Behind a dash a person may be typing.
      if (about.doing !== undefined && !this.argv.includes('-')) this.startsWork(about.doing);
      const args = await wholeIds(this, parsed.args, this.ctor.args);
      const flags = await wholeIds(this, parsed.flags, this.ctor.flags);
      await about.run({ args, flags: inCamelCase(flags), cli: this } as unknown as CommandGiven<F, A>);
    }
  };
}

interface EachGiven<F> {
  readonly core: Core;
  readonly who: string;
  readonly flags: FlagsOf<F>;
}

/** A command that does the same to each of the things that are named, one or many, or piped in by `-`. */
export function bulkCommand<T, F extends FlagInput = NoneOf>(
  about: About<F> & {
    readonly args: ArgInput;
    one(given: EachGiven<F>, named: string): Promise<T>;
    lines(result: T, given: EachGiven<F>): readonly string[];
  },
): CommandClass {
  return command({
    ...about,
    flags: { ...about.flags, ndjson: ndjsonFlag } as FlagInput,
    async run({ cli, flags, args }) {
      const given = { core: await cli.core(), who: cli.who, flags: flags as FlagsOf<F> };
      await cli.each(
        Object.values(args).flat(),
        flags,
        (named) => about.one(given, named),
        (result) => about.lines(result, given),
      );
    },
  });
}

/** Prints a list; `empty` is printed instead of a table without rows. */
type Print = (cli: BaseCommand, output: PagedOutput, empty: string) => Promise<void>;

export function rowsAs<Row extends object>(rows: readonly Row[], shown: ShownRows<NoInfer<Row>>): Print {
  return (cli, output, empty) => cli.showList(rows, output, { ...shown, empty });
}

export function pagesAs<Row extends object>(
  pages: AsyncIterable<readonly Row[]>,
  shown: ShownRows<NoInfer<Row>>,
): Print {
  return (cli, output, empty) => cli.showPages(pages, output, { ...shown, empty });
}

interface ListAbout<F, Beside = unknown> extends About<F> {
  /** Text printed for an empty list. */
  readonly empty: string;
  /** Reads what there is, and says how it is shown. */
  read(given: { readonly core: Core; readonly flags: FlagsOf<F> } & Beside): Promise<Print>;
}

/** A command that lists what there are few of. */
export function list<F extends FlagInput = NoneOf>(about: ListAbout<F>): CommandClass {
  return command({
    doing: 'Reading',
    ...about,
    flags: { ...about.flags, ...listFlags } as FlagInput,
    async run({ cli, flags }) {
      const print = await about.read({ core: await cli.core(), flags: flags as FlagsOf<F> });
      await print(cli, flags, about.empty);
    },
  });
}

interface TimeSpan {
  /** Milliseconds since the epoch, as is what `--since` and `--until` say. */
  readonly now: number;
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
  /** Maximum number of rows; may be infinite. */
  readonly limit: number;
}

/** A command that lists what never ends. Where it can be cut at a time, `spanFlags` are among its own. */
export function pagedList<F extends FlagInput = NoneOf>(about: ListAbout<F, TimeSpan>): CommandClass {
  return command({
    doing: 'Reading',
    ...about,
    flags: { ...about.flags, limit: limitFlag, ...listFlags } as FlagInput,
    async run({ cli, flags }) {
      const [{ spanMs }, { systemClock }] = await Promise.all([
        import('../input/time.js'),
        import('../../base/values/clock.js'),
      ]);
      // Before the store is opened: what is typed wrong is wrong without one.
      const now = systemClock.now();
      const span = { now, ...spanMs(flags.since, flags.until, now), limit: cli.rowsFor(flags) };
      const core = await cli.core();
      const print = await about.read({ core, flags: flags as FlagsOf<F>, ...span });
      await print(cli, flags, about.empty);
    },
  });
}
