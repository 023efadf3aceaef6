/** What the commands share: where the home folder is, and how results are printed. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Home } from '../ports/node-home.js';

/** `--home`, else KASHBOX_RELAY_HOME, else ~/.kashbox-relay. */
export function openHome(option: string | undefined): Home {
  return new Home(resolve(option ?? process.env.KASHBOX_RELAY_HOME ?? join(homedir(), '.kashbox-relay')));
}
