/** Checks access to a home folder, so that a folder of another user is not reported as missing. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KashboxError } from '../base/errors/errors.js';
import { quoted } from '../base/values/text.js';

/**
 * Passes for a folder that is not there yet.
 * @throws KashboxError `store_unreachable` where another user's folder, or a file, is in the way
 */
export function requireAccess(folder: string): void {
  const code = faultOf(join(folder, 'kashbox.db'));
  if (code !== 'EACCES' && code !== 'ENOTDIR') return;
  let inTheWay = resolve(folder);
  while (faultOf(inTheWay) !== null && inTheWay !== dirname(inTheWay)) inTheWay = dirname(inTheWay);
  throw code === 'EACCES' ? barred(folder, inTheWay) : noFolder(folder, inTheWay);
}

function faultOf(path: string): string | null {
  try {
    statSync(path);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}

function barred(folder: string, inTheWay: string): KashboxError {
  const owner = nameOf(statSync(inTheWay).uid);
  return new KashboxError('store_unreachable', {
    message: `You may not read ${inTheWay}: it belongs to ${owner}`,
    hint:
      `Run it as that user: sudo -u ${owner} KASHBOX_HOME=${quoted(folder)} kashbox …; or set KASHBOX_HOME to a home ` +
      'folder of your own.',
  });
}

function noFolder(folder: string, inTheWay: string): KashboxError {
  const isHome = inTheWay === resolve(folder);
  return new KashboxError('store_unreachable', {
    message: `${isHome ? '' : `There can be no folder ${folder}: `}${inTheWay} is a file, not a folder`,
    hint: 'Set KASHBOX_HOME to the home folder of the installation, or name it with --context.',
  });
}

/** The number itself where the machine keeps its users elsewhere. */
function nameOf(uid: number): string {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    const found = lines.map((line) => line.split(':')).find(([, , id]) => id === String(uid));
    return found?.[0] ?? `#${uid}`;
  } catch {
    return `#${uid}`;
  }
}
