/** The real command line in a home of its own, run to its end. */
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from './engines.js';
import { type Environment, kashboxProgram, startNode, withinTime } from './processes.js';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as the one JSON value that it must be. */
  json<T = Record<string, unknown>>(): T;
  /** Standard output as one JSON value a line. */
  ndjson<T = Record<string, unknown>>(): T[];
}

export interface Cli {
  readonly home: string;
  (...args: readonly string[]): Promise<Ran>;
  /** As above, with something piped in. */
  piped(input: string, ...args: readonly string[]): Promise<Ran>;
}

/** What `--json` prints of a failure. */
export interface Failed {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
}

/** @param env on top of a bare login and the home. */
export async function openCli(t: ExecutionContext<unknown>, env: Environment = {}): Promise<Cli> {
  const home = await temporaryFolder(t);
  const run = async (input: string, args: readonly string[]): Promise<Ran> => {
    const child = startNode(t, [kashboxProgram, ...args], { KASHBOX_HOME: home, ...env });
    child.stdin.end(input);
    const { code } = await withinTime(child);
    const stdout = child.stdout();
    return {
      code,
      stdout,
      stderr: child.stderr(),
      json: <T>() => JSON.parse(stdout) as T,
      ndjson: <T>() =>
        stdout
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as T),
    };
  };
  return Object.assign((...args: readonly string[]) => run('', args), {
    home,
    piped: (input: string, ...args: readonly string[]) => run(input, args),
  });
}
