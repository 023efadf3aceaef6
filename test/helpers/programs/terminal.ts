/** A real terminal for tests: a window of tmux with a shell in it, gone when the test is over. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '../stores/engines.js';
import { type Environment, kashboxProgram, type Owner } from './processes.js';

const run = promisify(execFile);
const LOOK_MS = 100;
/** Even under load; a test that waits for what never comes must say what it saw. */
const PATIENCE_MS = 180_000;

export interface OpenTerminal {
  readonly columns: number;
  readonly rows: number;
  /** Of `kashbox`. */
  readonly args: readonly string[];
  /** At least `TERM` and `LANG`; on top of a bare login. */
  readonly env: Environment;
}

export interface Terminal {
  /** Process of the program. */
  pid(): number;
  /** What stands in the window, without the blanks at the ends of lines. @param escapes with colours. */
  text(escapes?: boolean): Promise<string>;
  /** Waits until it stands there. @throws Error with what stood there instead, after a minute */
  shows(pattern: RegExp): Promise<string>;
  press(...keys: readonly string[]): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** What the program sends from now on, byte by byte. */
  record(): Promise<() => string>;
  /** Of the window. */
  title(): Promise<string>;
  /** Whether the window is as a shell expects it: its first screen, a cursor, lines that wrap, its title. */
  isAsBefore(): Promise<boolean>;
  /** Takes the window away from the program. */
  hangUp(): Promise<void>;
}

/** What the shell says before the program and after it. */
export const BEFORE = 'the line before';
const ENDED = 'ended with';
const TITLE_BEFORE = 'the shell';
export const ended = (code: number) => new RegExp(`${BEFORE}\\n${ENDED} ${code}`);

/** Starts `kashbox` with these arguments in a window of that size. */
export async function openTerminal(t: Owner, options: OpenTerminal): Promise<Terminal> {
  const folder = await temporaryFolder(t);
  const [socket, pidFile, script] = ['socket', 'pid', 'script'].map((name) => join(folder, name));
  const words = [process.execPath, kashboxProgram, ...options.args].map((word) => `'${word}'`).join(' ');
  const variables = Object.entries(options.env).map(([name, value]) => `export ${name}='${value}'`);
  const lines = [
    // A test that takes too long is killed, and has no time to clean up; its folder may be gone by then.
    'server=$(echo "$TMUX" | cut -d , -f 2)',
    `(while kill -0 ${process.pid}; do sleep 1; done; kill "$server") 2> /dev/null &`,
    'unset TMUX TMUX_PANE LC_ALL LC_CTYPE',
    ...variables,
    `printf '\\033]2;${TITLE_BEFORE}\\033\\\\'`,
    `echo '${BEFORE}'`,
    `sh -c 'echo $$ > ${pidFile}; exec "$@"' sh ${words}`,
    `echo "${ENDED} $?"`,
    'exec cat',
  ];
  writeFileSync(script ?? '', lines.join('\n'));
  const env = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', HOME: folder, TERM: 'xterm' };
  const tmux = async (...args: readonly string[]) =>
    (await run('tmux', ['-u', '-S', socket ?? '', '-f', '/dev/null', ...args], { env })).stdout;
  const size = ['-x', String(options.columns), '-y', String(options.rows)];
  await tmux('new-session', '-d', ...size, `sh ${script}`);
  const hangUp = async () => {
    await tmux('kill-server').catch(() => {});
  };
  t.teardown(hangUp);
  const text = async (escapes = false) => tmux('capture-pane', '-p', ...(escapes ? ['-e'] : []));
  const title = async () => (await tmux('display-message', '-p', '#{pane_title}')).trim();
  return {
    pid: () => Number(readFileSync(pidFile ?? '', 'utf8')),
    text,
    async shows(pattern) {
      const end = performance.now() + PATIENCE_MS;
      for (;;) {
        const shown = await text();
        if (pattern.test(shown)) return shown;
        if (performance.now() > end) throw new Error(`${pattern} does not match what is shown:\n${shown}`);
        await sleep(LOOK_MS);
      }
    },
    press: async (...keys) => {
      await tmux('send-keys', ...keys);
    },
    resize: async (columns, rows) => {
      await tmux('resize-window', '-x', String(columns), '-y', String(rows));
    },
    async record() {
      const file = join(folder, 'sent');
      writeFileSync(file, '');
      await tmux('pipe-pane', `cat >> ${file}`);
      return () => readFileSync(file, 'latin1');
    },
    title,
    async isAsBefore() {
      const flags = '#{alternate_on} #{cursor_flag} #{wrap_flag}';
      const shown = (await tmux('display-message', '-p', flags)).trim();
      return shown === '0 1 1' && (await title()) === TITLE_BEFORE;
    },
    hangUp,
  };
}
