/**
 * Base class of all commands: opens the core at its first use, closes it at the end, prints output and
 * reports errors. A command parses its input, calls one action and prints the result. Heavy modules are
 * imported inside functions only, because every start pays for imports at the top.
 */
import { userInfo } from 'node:os';
import { Command } from '@oclif/core/command';
import type { Core } from '../../actions/core/core.js';
import { isKashboxError } from '../../base/errors/errors.js';
import { escapedControls } from '../../base/values/cells.js';
import { jsonText } from '../../base/values/json-text.js';
import { echoed } from '../../base/values/text.js';
import type { ContextSelection } from '../../config/contexts.js';
import { hasColour, tinted, tintedLine } from '../text/colour.js';
import { startSpinner } from '../text/progress.js';
import type { ColumnOf } from '../text/table.js';
import { contextFlag, jsonFlag } from './flags.js';

/** Text form of a list: a table, or lines if a row does not fit on one line. */
export interface ShownRows<Row> {
  /** Columns of the table; set either these or `lines`. A field name is short for a column of that field. */
  readonly columns?: readonly ColumnOf<Row>[];
  readonly lines?: (row: Row) => readonly string[];
  /** The fields of its CSV, which has its head even without rows. */
  readonly csv: readonly (keyof Row & string)[];
  /** Lines below the table, of what no column has room for. */
  readonly below?: readonly string[];
}

type Listing<Row> = ShownRows<Row> & {
  /** Text printed instead of an empty table. */
  readonly empty: string;
};

interface Output {
  readonly json?: boolean | undefined;
  readonly ndjson?: boolean | undefined;
  readonly csv?: boolean | undefined;
}

/** Output flags of a list without a fixed end. */
export interface PagedOutput extends Output {
  readonly limit?: number | undefined;
}

const TERMINAL_WIDTH = 80;
/** A table of a list that never ends; more scroll away. */
const TABLE_ROWS = 50;

export abstract class BaseCommand extends Command {
  static override baseFlags = { json: jsonFlag, context: contextFlag };
  /** True if the arguments may be payment numbers. */
  static ofPayments = false;
  /** True if the command may create an installation if none exists. */
  static makesHome = false;

  private opened: Promise<Core> | undefined;
  private chosen: Promise<ContextSelection> | undefined;
  private stopSpinner: () => void = () => {};
  /** Value of `--context`; set after the flags are parsed. */
  contextFlag: string | undefined;

  protected override async init(): Promise<void> {
    await super.init();
    watchOutput(process.stdout, process.stderr);
  }

  /** @throws KashboxError `config_invalid`, `store_unreachable`, `store_newer`, `store_damaged` */
  core(): Promise<Core> {
    const mustExist = !(this.ctor as typeof BaseCommand).makesHome;
    this.opened ??= this.choice().then(({ env }) => openHere(env, mustExist));
    return this.opened;
  }

  /** Chooses the installation. @throws KashboxError `not_found`, `config_invalid`, `invalid_input` */
  choice(): Promise<ContextSelection> {
    this.chosen ??= import('../../config/contexts.js').then(({ chooseContext }) =>
      chooseContext(process.env, this.contextFlag),
    );
    return this.chosen;
  }

  /** Returns the home folder of the chosen installation, and the environment that selects it. */
  async homeFolder(): Promise<{ readonly folder: string; readonly env: ContextSelection['env'] }> {
    const { homeFolder } = await import('../../config/home.js');
    const { env } = await this.choice();
    return { folder: homeFolder(env), env };
  }

  /** A core of its own, for a command that closes and opens it as it runs. */
  async reopen(): Promise<Core> {
    return openHere((await this.choice()).env, true);
  }

  /** Name of the actor for the audit log. */
  get who(): string {
    return `cli:${userName()}`;
  }

  /**
   * The identifier that begins as it was typed; anything else as it is.
   * @throws KashboxError `invalid_input` where several begin so
   */
  async wholeId(typed: string, ofPayments = (this.ctor as typeof BaseCommand).ofPayments): Promise<string> {
    if ((this.ctor as typeof BaseCommand).ofPayments && /^[0-9a-z]{1,3}$/i.test(typed)) {
      const { refuse } = await import('../../base/errors/refuse.js');
      const next = 'Type more of it, or look for it: kashbox payments list --search TEXT';
      refuse(`"${typed}" is too short: a payment is named by at least 4 characters of its number`, next);
    }
    const { isBeginning, wholeId } = await import('../../actions/input/whole-id.js');
    if (!isBeginning(typed, ofPayments)) return typed;
    const { store } = await this.core();
    return store.read((db) => wholeId(db, typed, ofPayments));
  }

  /** Name of the command as typed, such as `merchants create`. */
  protected get typedName(): string {
    return (this.id ?? '').replaceAll(':', ' ');
  }

  /** Prints one result as JSON or as lines of text. */
  show<T>(result: T, flags: Output, lines: (result: T) => readonly string[]): void {
    if (flags.json) this.write(`${jsonText(result, jsonIndent())}\n`);
    else if (flags.ndjson) this.write(`${jsonText(result)}\n`);
    else this.say(lines(result));
  }

  async showList<Row extends object>(
    rows: readonly Row[],
    flags: Output,
    listing: Listing<Row>,
  ): Promise<void> {
    if (flags.json) return this.show(rows, flags, () => []);
    if (flags.ndjson) return this.write(rows.map((row) => `${jsonText(row)}\n`).join(''));
    if (flags.csv) {
      const { csv } = await import('../text/list-texts.js');
      return this.write(csv(listing.csv, rows));
    }
    if (rows.length === 0) return this.say([listing.empty]);
    const { columns = [], lines, below = [] } = listing;
    if (lines !== undefined) return this.say(rows.flatMap((row) => lines(row)));
    const { table } = await import('../text/table.js');
    const tint = hasColour(process.stdout, process.env) ? tinted : undefined;
    return this.say([...table(columns, rows, this.tableWidth, tint), ...below]);
  }

  /** Number of rows to load for `showPages`. A table loads one more than it shows, to detect more rows. */
  rowsFor({ limit, json, ndjson, csv }: PagedOutput): number {
    if (json || ndjson || csv) return limit ?? Number.POSITIVE_INFINITY;
    return (limit ?? TABLE_ROWS) + 1;
  }

  /** Prints a list without a fixed end. JSON, NDJSON and CSV have all rows; a table stops at its limit. */
  async showPages<Row extends object>(
    pages: AsyncIterable<readonly Row[]>,
    flags: PagedOutput,
    listing: Listing<Row>,
  ): Promise<void> {
    if (flags.ndjson || flags.csv) {
      const { listTexts } = await import('../text/list-texts.js');
      for await (const text of listTexts(flags.csv ? 'csv' : 'ndjson', pages, listing.csv)) this.write(text);
    } else if (flags.json) {
      // Kept as text until all is read, because a failure must leave one JSON value too.
      const texts: string[] = [];
      const indent = jsonIndent();
      for await (const rows of pages) texts.push(jsonText(rows, indent).slice(1, -1).trimEnd());
      this.write('[');
      for (const [at, text] of texts.entries()) this.write(at === 0 ? text : `,${text}`);
      this.write(texts.length > 0 && indent > 0 ? '\n]\n' : ']\n');
    } else await this.showBeginning(pages, flags, listing);
  }

  private async showBeginning<Row extends object>(
    pages: AsyncIterable<readonly Row[]>,
    { limit = TABLE_ROWS }: PagedOutput,
    listing: Listing<Row>,
  ): Promise<void> {
    const rows: Row[] = [];
    for await (const page of pages) rows.push(...page);
    await this.showList(rows.slice(0, limit), {}, listing);
    if (rows.length <= limit) return;
    this.note(`${limit} are shown, and there are more: --limit COUNT shows more, --csv all of them.`);
  }

  /**
   * Runs `work` for each id. One argument gives one result; several arguments, or `-`, give a list. A failure
   * has its own entry in the list and does not stop the others.
   * @param work returns null for an item that is skipped and has no entry.
   */
  async each<T>(
    given: readonly string[],
    flags: Output,
    work: (named: string) => Promise<T | null>,
    lines: (result: T) => readonly string[],
  ): Promise<void> {
    if (given.length === 1 && given[0] !== '-') {
      const result = await work(await this.wholeId(given[0] ?? ''));
      if (result !== null) this.show(result, flags, lines);
      return;
    }
    const { collectIds } = await import('../input/ids.js');
    const results: unknown[] = [];
    for (const named of await collectIds(given, process.stdin)) {
      try {
        const result = await work(await this.wholeId(named));
        if (result === null) continue;
        results.push(result);
        if (!flags.json) this.show(result, flags, (one) => [...lines(one), '']);
      } catch (error) {
        // What nobody foresaw ends the command; a foreseen refusal is about this one.
        if (!isKashboxError(error) || error.exit === 5) throw error;
        const { code, message, hint, exit } = error;
        process.exitCode ??= exit;
        const entry = { id: echoed(named), error: { code, message, hint } };
        results.push(entry);
        if (flags.ndjson) this.write(`${jsonText(entry)}\n`);
        else if (!flags.json) this.note(escapedControls(`Error: ${message}\nNext: ${hint}`));
      }
    }
    if (flags.json) this.show(results, flags, () => []);
  }

  /** Shows on a terminal that it works, until something is printed. @param what it does: `Checking` */
  startsWork(what: string): void {
    this.stopSpinner = startSpinner(process.stderr, what);
  }

  say(lines: readonly string[]): void {
    const shown = hasColour(process.stdout, process.env) ? lines.map(tintedLine) : lines;
    this.write(shown.map((line) => `${line}\n`).join(''));
  }

  write(text: string): void {
    this.stopSpinner();
    process.stdout.write(text);
  }

  /** Prints a line on stderr that is neither a result nor an error, so that it does not mix with them. */
  note(line: string): void {
    this.stopSpinner();
    process.stderr.write(`${line}\n`);
  }

  /** Cells of a line of text; what people paste elsewhere should fit. */
  get width(): number {
    return this.knownWidth ?? TERMINAL_WIDTH;
  }

  /** Width of a table in cells; infinite if stdout is a pipe: text to search or store must not be cut. */
  private get tableWidth(): number {
    return this.knownWidth ?? (process.stdout.isTTY ? TERMINAL_WIDTH : Number.POSITIVE_INFINITY);
  }

  private get knownWidth(): number | undefined {
    const { columns } = process.stdout;
    // Some terminals, such as those of containers, say 0.
    if (columns > 0) return columns;
    const asked = Number(process.env.COLUMNS);
    return asked > 0 ? asked : undefined;
  }

  /** Our own flag decides, in `show` and `catch`; oclif's printing of results stays out of it. */
  override jsonEnabled(): boolean {
    return false;
  }

  protected override async catch(error: Error & { exitCode?: number }): Promise<void> {
    this.stopSpinner();
    const { toFailure } = await import('./failure.js');
    const failure = toFailure(error, this.typedName);
    process.exitCode = failure.exit;
    const { reportFailure } = await import('./failure.js');
    reportFailure(failure, this.argv, error);
  }

  protected override async finally(): Promise<void> {
    this.stopSpinner();
    const core = await this.opened?.catch(() => undefined);
    if (core === undefined) return;
    if (core.store.writing.workedAt > Number.NEGATIVE_INFINITY) {
      const { chainOwnRows } = await import('../../actions/audit/extend-chain.js');
      await chainOwnRows(core);
    }
    await core.close();
  }
}

function jsonIndent(): number {
  return process.stdout.isTTY ? 2 : 0;
}

async function openHere(env: ContextSelection['env'], mustExist: boolean): Promise<Core> {
  const [{ openCore }, { homeFolder }] = await Promise.all([
    import('../../actions/core/core.js'),
    import('../../config/home.js'),
  ]);
  return openCore({ folder: homeFolder(env), env, mustExist });
}

/** Shared users that run shop commands under sudo: root, and the daemon's user of an installed package. */
const SHARED = ['root', 'kashbox'];

/**
 * @param user user of this process.
 * @returns the user who ran `sudo`, if `user` is a shared one. SUDO_USER is ignored for other users, because
 * they could set it to any name.
 */
export function userName(env: NodeJS.ProcessEnv = process.env, user: string = ownName()): string {
  const { SUDO_USER: behind = '' } = env;
  return SHARED.includes(user) && /^[\w.@-]{1,64}\$?$/.test(behind) ? behind : user;
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no user has.
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Exit code for output that cannot be written; the same as for a full disk of the store. */
const EXIT = 5;

/**
 * Replaces oclif's error listener, which throws an uncaught error and prints source code.
 * @param notes stderr, which `2>&1 | head` closes too.
 */
function watchOutput(output: NodeJS.WriteStream, notes: NodeJS.WriteStream): void {
  let isTold = false;
  // There is nowhere left to say it.
  notes.removeAllListeners('error').on('error', () => {});
  output.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isTold) return;
    isTold = true;
    const text =
      `Error: The output cannot be written (${error.code ?? error.message})\n` +
      'Next: Free some space, or write to another disk; what was written is not whole.\n';
    notes.write(escapedControls(text));
    process.exit(EXIT);
  });
}
