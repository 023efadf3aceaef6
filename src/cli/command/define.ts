/**
 * What a file of `commands` says of its command, and the kinds of command that there are: one that does one
 * thing, one that does the same to each of several, and two that list. oclif is told the rest from here.
 */
import type { Config } from '@oclif/core/config';
import type { ArgInput, BooleanFlag, FlagInput, InferredArgs, OptionFlag } from '@oclif/core/interfaces';
import type { Core } from '../../actions/core/core.js';
import { BaseCommand, type PagedOutput, type Shown } from './base-command.js';
import { limitFlag, listFlags, ndjsonFlag } from './flags.js';

type NoneOf = Record<never, never>;

interface About<F> {
  readonly summary: string;
  readonly description?: string;
  /** `$` stands for this command, `kashbox` for the program. */
  readonly examples: readonly string[];
  /** Whether its arguments may be numbers of payments. */
  readonly ofPayments?: boolean;
  /** Whether it may make an installation where there is none. */
  readonly makesHome?: boolean;
  /** What it does where that can take longer than a second: `Checking`. Not for one that asks a person. */
  readonly doing?: string;
  readonly flags?: F;
}

/** `allowIp` of `allow-ip`. */
type Camel<Name> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

/** What was given, `--allow-ip` as `allowIp`. oclif's own type of it takes every yes or no for `any`. */
export type FlagsOf<F> = { readonly json: boolean | undefined } & {
  readonly [K in keyof F as Camel<K>]: F[K] extends BooleanFlag<infer T>
    ? T
    : F[K] extends OptionFlag<infer T>
      ? T
      : never;
};

interface Given<F, A> {
  readonly cli: BaseCommand;
  readonly flags: FlagsOf<F>;
  readonly args: InferredArgs<A>;
}

export type CommandClass = new (argv: string[], config: Config) => BaseCommand;

const EXAMPLE_WORDS = { $: '<%= config.bin %> <%= command.id %>', kashbox: '<%= config.bin %>' } as const;

/** `$ --all | kashbox keys show -` with the names that oclif fills in. */
export function exampleText(text: string): string {
  return text.replace(
    /(^|\| )(\$|kashbox)(?= |$)/g,
    (_, before: string, word: '$' | 'kashbox') => before + EXAMPLE_WORDS[word],
  );
}

function inCamelCase(flags: object): object {
  const named = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [named(name), value]));
}

/** Arguments and flags of which one thing is named; arguments that name several are for `each`. */
const NAMED = ['acquirer', 'brand', 'device', 'merchant', 'target'];

/** What a flag's value is called tells what it names. */
function kindOfValue(flag: object | undefined): 'id' | 'payment' | null {
  const value = flag !== undefined && 'helpValue' in flag ? String(flag.helpValue) : '';
  if (value === 'PAYMENT') return 'payment';
  return NAMED.includes(value.toLowerCase()) ? 'id' : null;
}

/** The same values, with identifiers of which the beginning was typed in full. */
async function wholeIds<Values extends object>(
  cli: BaseCommand,
  values: Values,
  kindOf: (name: string) => 'id' | 'payment' | null,
): Promise<Values> {
  const whole = Object.fromEntries(Object.entries(values)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    const kind = kindOf(name);
    if (kind !== null && typeof value === 'string')
      whole[name] = await cli.wholeId(value, kind === 'payment');
  }
  return whole as Values;
}

/** A command that does one thing. */
export function command<F extends FlagInput = NoneOf, A extends ArgInput = NoneOf>(
  about: About<F> & { readonly args?: A; run(given: Given<F, A>): Promise<void> },
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
      const { withKnownValues } = await import('./known-values.js');
      const parsed = await this.parse(this.ctor, withKnownValues(this.argv, this.ctor.flags));
      this.contextFlag = parsed.flags.context;
      // Behind a dash a person may be typing.
      if (about.doing !== undefined && !this.argv.includes('-')) this.startsWork(about.doing);
      const args = await wholeIds(this, parsed.args, (name) => (NAMED.includes(name) ? 'id' : null));
      const flags = await wholeIds(this, parsed.flags, (name) => kindOfValue(this.ctor.flags[name]));
      await about.run({ args, flags: inCamelCase(flags), cli: this } as unknown as Given<F, A>);
    }
  };
}

/** A command that does the same to each of the things that are named, one or many, or piped in by `-`. */
export function each<T, F extends FlagInput = NoneOf>(
  about: About<F> & {
    readonly args: ArgInput;
    work(given: { readonly core: Core; readonly who: string; readonly flags: FlagsOf<F> }): Promise<{
      readonly one: (named: string) => Promise<T>;
      readonly lines: (result: T) => readonly string[];
    }>;
  },
): CommandClass {
  return command({
    ...about,
    flags: { ...about.flags, ndjson: ndjsonFlag } as FlagInput,
    async run({ cli, flags, args }) {
      const given = { core: await cli.core(), who: cli.who, flags: flags as FlagsOf<F> };
      const { one, lines } = await about.work(given);
      await cli.each(Object.values(args).flat(), flags, one, lines);
    },
  });
}

/** What a list is printed by; `empty` is said instead of a table without rows. */
type Print = (cli: BaseCommand, output: PagedOutput, empty: string) => Promise<void>;

export function rowsAs<Row extends object>(rows: readonly Row[], shown: Shown<NoInfer<Row>>): Print {
  return (cli, output, empty) => cli.showList(rows, output, { ...shown, empty });
}

export function pagesAs<Row extends object>(
  pages: AsyncIterable<readonly Row[]>,
  shown: Shown<NoInfer<Row>>,
): Print {
  return (cli, output, empty) => cli.showPages(pages, output, { ...shown, empty });
}

interface ListAbout<F, Beside = unknown> extends About<F> {
  /** Said where there is nothing. */
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

interface Span {
  /** Milliseconds since the epoch, as is what `--since` and `--until` say. */
  readonly now: number;
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
  /** May be infinite. */
  readonly limit: number;
}

/** A command that lists what never ends. Where it can be cut at a time, `spanFlags` are among its own. */
export function pagedList<F extends FlagInput = NoneOf>(about: ListAbout<F, Span>): CommandClass {
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
