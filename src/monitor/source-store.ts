/**
 * Reads the dashboard from the store, and executes the confirmed actions there. Each reading recovers from
 * failures in the meantime: a server that was unreachable, or a file that was moved or replaced by a backup.
 */
import { statSync } from 'node:fs';
import type { Core } from '../actions/core/core.js';
import { showNotifications } from '../actions/notifications/notifications.js';
import { showReview } from '../actions/reviews/list-reviews.js';
import { showPayment } from '../actions/sessions/list-payments.js';
import { loadDashboard, showUnclaimed } from '../actions/upkeep/load-dashboard.js';
import { KashboxError } from '../base/errors/errors.js';
import { quoted } from '../base/values/text.js';
import { doAct } from './dialog.js';
import type { PanelId } from './panel.js';
import { type SnapshotSource, toSnapshot } from './snapshot.js';

const EVERY_MS = 3_000;

interface StoreHandle {
  readonly core: Core;
  /** Inode of the store's file; null for a database server. */
  readonly inode: number | null;
}

interface Operator {
  /** Name of the actor for the audit log. */
  readonly who: string;
  /** Answers of `kashbox why` about a transaction id. */
  explain(core: Core, reference: string): Promise<readonly object[]>;
}

/** @param openCore opens it as this process opens every store; called again after a failure. */
export function storeSource(openCore: () => Promise<Core>, operator: Operator): SnapshotSource {
  let opened: StoreHandle | null = null;
  /** Path of the store's file; a missing file must not be created by reading. */
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
    read: async () => toSnapshot(await loadDashboard(await core())),
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
