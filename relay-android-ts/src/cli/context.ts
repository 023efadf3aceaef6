/** What the commands share: where the home folder is, and its journals as a running agent has left them. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type JournalState, replay } from '../core/journal/journal.js';
import { readIfThere } from '../ports/node-files.js';
import { Home } from '../ports/node-home.js';

/** `--home`, else KASHBOX_RELAY_HOME, else ~/.kashbox-relay. */
export function openHome(option: string | undefined): Home {
  return new Home(resolve(option ?? process.env.KASHBOX_RELAY_HOME ?? join(homedir(), '.kashbox-relay')));
}

/** Folds a journal into `state` without touching the file; one that is not there is empty. */
export async function loadJournal<R, S extends JournalState<R>>(path: string, state: S): Promise<S> {
  replay((await readIfThere(path)) ?? new Uint8Array(), state);
  return state;
}
