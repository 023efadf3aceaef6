/** The real command line in a home of its own, run to its end. */
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../stores/engines.js';
import { runInProcess } from './in-process.js';
import { bareEnvironment, type Environment, kashboxProgram, startNode, withinTime } from './processes.js';

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

/** What Node itself reads when it starts, and nobody can change in a process that runs. */
const isForNode = (name: string) => name.startsWith('NODE_');

/** The contexts of whoever runs the tests are not those of the tests. */
const environmentOf = (home: string) => ({ KASHBOX_HOME: home, KASHBOX_CONFIG_DIR: `${home}/contexts` });

/**
 * Runs commands inside this process, one after the other.
 * @param env on top of a bare login and the home. Commands become processes where it is for Node itself.
 */
export async function openCli(t: ExecutionContext<unknown>, env: Environment = {}): Promise<Cli> {
  const home = await temporaryFolder(t);
  const all = { ...environmentOf(home), ...env };
  return Object.keys(env).some(isForNode)
    ? cliOf(home, (args, input) => spawned(t, all, args, input))
    : cliOf(home, (args, input) => runInProcess({ args, env: bareEnvironment(all), input }));
}

/** The same with a process for each command, as an operator starts it. */
export async function openSpawnedCli(t: ExecutionContext<unknown>): Promise<Cli> {
  const home = await temporaryFolder(t);
  return cliOf(home, (args, input) => spawned(t, environmentOf(home), args, input));
}

type Output = Pick<Ran, 'code' | 'stdout' | 'stderr'>;

async function spawned(
  t: ExecutionContext<unknown>,
  env: Environment,
  args: readonly string[],
  input: string,
): Promise<Output> {
  const child = startNode(t, [kashboxProgram, ...args], env);
  child.stdin.end(input);
  const { code } = await withinTime(child);
  return { code, stdout: child.stdout(), stderr: child.stderr() };
}

function cliOf(home: string, start: (args: readonly string[], input: string) => Promise<Output>): Cli {
  const run = async (input: string, args: readonly string[]): Promise<Ran> => {
    const { code, stdout, stderr } = await start(args, input);
    return {
      code,
      stdout,
      stderr,
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
