/** Who runs a command, for the audit. */
import { userInfo } from 'node:os';

/** Users as whom sudo runs commands of a shop: root, and the one of the daemon in the package for Debian. */
const SHARED = ['root', 'kashbox'];

/**
 * @param user the user of this process.
 * @returns the person who typed `sudo` where the user is a shared one. Anybody else could set SUDO_USER to
 * any name, so it does not count for them.
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
