/** Lists the audit trail: changes made by operators, rules and phones. */
import { type AuditFilter, listedAudit } from '../../store/tables/audit.js';
import type { Page } from '../../store/tables/list-position.js';
import { sessionNamed } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { collectAll, cursorBy, type PagedInput, paginate } from '../input/pages.js';
import { defineView } from '../input/view.js';

type StoredAudit = Awaited<ReturnType<typeof listedAudit>>[number];

export type AuditRow = ReturnType<typeof auditView>;

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

export const auditView = defineView<StoredAudit>()(({ same, times }) => ({
  ...same('id'),
  ...times('at'),
  /** `cli:<user>`, `rule`, `device:<id>`. */
  ...same('who', 'action', 'subject'),
  before: (row) => parsed(row.before),
  after: (row) => parsed(row.after),
  /** The number of the payment that changed; null of anything else. */
  ...same('payment'),
}));

interface ListAudit extends PagedInput, Omit<AuditFilter, 'subject' | 'sinceMs'> {
  /** Identifier of what changed, or the number of a payment. */
  readonly of?: string | undefined;
}

/** Pages of audit entries, newest first. */
export function auditPages(core: Core, input: ListAudit): AsyncGenerator<AuditRow[]> {
  const { of, who, action, sinceMs } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const subject = of === undefined ? undefined : ((await sessionNamed(db, of)) ?? of);
      return listedAudit(db, { subject, who, action, sinceMs }, page);
    });
  return paginate(input, read, cursorBy('at'), (row) => auditView(row));
}

export const listAudit = collectAll(auditPages);
