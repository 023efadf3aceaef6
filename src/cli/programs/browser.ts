/** Opens an address in the browser of this desktop. Knows nothing of the page. */
import { spawn } from 'node:child_process';

interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False for a script, which wants no window. */
  readonly isTerminal: boolean;
}

/** @returns the program and arguments before the address; null if nobody would see a browser. */
export function browserCommand({
  platform,
  env,
  isTerminal,
}: Desktop): readonly [string, ...string[]] | null {
  if (!isTerminal) return null;
  if (platform === 'darwin') return ['open'];
  // The empty argument is the title of the window.
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  const hasDisplay = [env.DISPLAY, env.WAYLAND_DISPLAY].some((name) => name !== undefined && name !== '');
  return hasDisplay ? ['xdg-open'] : null;
}

/** Does not wait for the browser. @returns false if none can be started. */
export function openInBrowser(url: string, desktop: Desktop): Promise<boolean> {
  const command = browserCommand(desktop);
  if (command === null) return Promise.resolve(false);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const env = desktop.env as NodeJS.ProcessEnv;
    const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', env });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
