/** Programs that ask for words at a terminal, and nowhere else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a command of the shell at a terminal, at which these lines are typed. @throws Error if it fails */
export async function typedAt(folder: string, command: string, lines: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'dumb' };
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
    env,
  });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += String(chunk);
  });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${shown}`);
  return shown;
}
