/**
 * Reads the dashboard from the store, and does there what an operator has confirmed. Whatever happens to the
 * store meanwhile, the next reading begins again: a server that was away, a file that was put aside or
 * replaced by a backup.
 */
import { statSync } from 'node:fs';
import type { Core } from '../actions/core/core.js';
import { showNotifications } from '../actions/notifications/list-notifications.js';
import { showReview } from '../actions/reviews/list-reviews.js';
import { showPayment } from '../actions/sessions/list-payments.js';
import { readBoard } from '../actions/upkeep/read-dashboard.js';
import { showUnclaimed } from '../actions/upkeep/unclaimed.js';
import { KashboxError } from '../base/errors/errors.js';
import { quoted } from '../base/values/text.js';
import { doAct } from './ask.js';
import type { PanelId } from './panel.js';
import { type Source, snapshotOf } from './snapshot.js';

const EVERY_MS = 3_000;

interface Opened {
  readonly core: Core;
  /** Which file it is; null for a server. */
  readonly inode: number | null;
}

interface Operator {
  /** For the audit. */
  readonly who: string;
  /** What `kashbox why` says of a transaction id. */
  explain(core: Core, reference: string): Promise<readonly object[]>;
}

/** @param openCore opens it as this process opens every store; called again after a failure. */
export function storeSource(openCore: () => Promise<Core>, operator: Operator): Source {
  let opened: Opened | null = null;
  /** Where the file was; it must not be made again because we look for it. */
  let file: string | null = null;

  const close = async () => {
    const last = opened;
    opened = null;
    await last?.core.close();
  };
  const core = async (): Promise<Core> => {
    if (opened !== null && opened.inode !== inodeOf(file)) await close();
    if (opened !== null) return opened.core;
    if (file !== null && inodeOf(file) === null) throw fileGone(file);
    const made = await openCore();
    file = made.store.engine === 'sqlite' ? made.home.storeFile : null;
    opened = { core: made, inode: inodeOf(file) };
    return made;
  };
  return {
    name: 'store',
    everyMs: EVERY_MS,
    read: async () => snapshotOf(await readBoard(await core())),
    details: async (panel, key) => detailsOf(await core(), operator, panel, key),
    act: async (act) => doAct(await core(), act, operator.who),
    close,
  };
}

function inodeOf(file: string | null): number | null {
  return file === null ? null : (statSync(file, { throwIfNoEntry: false })?.ino ?? null);
}

function fileGone(file: string): KashboxError {
  return new KashboxError('store_unreachable', { message: `The store's file is gone: ${file}` });
}

async function detailsOf(
  core: Core,
  operator: Operator,
  panel: PanelId,
  key: string,
): Promise<object | null> {
  switch (panel) {
    case 'payments':
      return showPayment(core, key);
    case 'reviews':
      return showReview(core, key);
    case 'unclaimed': {
      const text = await showUnclaimed(core, key);
      const why = await operator.explain(core, text.reference);
      return { ...text, why, command: `kashbox why ${quoted(text.reference)}` };
    }
    case 'notifications':
      return showNotifications(core, key);
    case 'devices':
    case 'alerts':
    case 'dispatches':
    case 'nodes':
    case 'jobs':
      return null;
    default:
      return panel satisfies never;
  }
}
