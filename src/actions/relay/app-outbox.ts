/** Leases and reports of the app "SMS Gateway for Android". */
import type { AppReport } from '../../domain/dispatches/app-reports.js';
import type { DispatchReport } from '../../domain/dispatches/dispatch.js';
import type { Db } from '../../store/schema/index.js';
import { countReceipts, leasedDispatches, lockDevice, receiptsOf } from '../../store/tables/dispatches.js';
import type { AppPhone } from '../access/authenticate-app.js';
import type { Core } from '../core/core.js';
import { foldReports } from './apply-reports.js';
import { leaseToPhone } from './lease-dispatches.js';

/** One SMS for the app to send; `expires_at` in milliseconds since the epoch. */
export type AppDispatch = Awaited<ReturnType<typeof leasedDispatches.all>>[number];

/**
 * Everything that this registration was handed and has not sent a final report on, and what it may have
 * again. The app sends once what it is shown twice; it does not tell which it has, so nothing goes back.
 * @returns in the order in which they are to be sent.
 */
export async function appOutbox(core: Core, phone: AppPhone): Promise<readonly AppDispatch[]> {
  const { device, registration } = phone;
  await leaseToPhone(core, {
    deviceId: device.deviceId,
    outbox: { journal: registration, held: null },
    reports: [],
  });
  const now = core.clock.now();
  return core.store.read((db) =>
    leasedDispatches.all(db, { device: device.deviceId, journal: registration, now }),
  );
}

/** Durable when this returns. A report about what is not this phone's is dropped. */
export async function takeAppReports(
  core: Core,
  phone: AppPhone,
  reports: readonly AppReport[],
): Promise<void> {
  if (reports.length === 0) return;
  const { deviceId } = phone.device;
  await core.store.write(async (db) => {
    await lockDevice(db, deviceId);
    const own: DispatchReport[] = [];
    for (const report of reports) own.push(...(await translate(db, deviceId, report)));
    await foldReports(db, { deviceId, reports: own }, core.clock.now());
  });
}

/** The app counts no parts: it says "delivered" of the whole with the first part that was. */
async function translate(db: Db, device: string, report: AppReport): Promise<readonly DispatchReport[]> {
  const { id } = report;
  const whole = (said: DispatchReport['state'], error: string | null = null): DispatchReport => ({
    id,
    state: said,
    part: null,
    error,
  });
  switch (report.state) {
    case 'SENT':
      return [whole('SENT')];
    case 'FAILED':
    case 'EXPIRED':
      return [whole(report.state, report.error)];
    // It has left the phone, and more than that nobody can do for it.
    case 'UNDELIVERED':
      return [whole('SENT', report.error)];
    case 'DELIVERED':
    case 'DELIVERED_PART': {
      const known = await receiptsOf.first(db, { id, device });
      if (known === undefined) return [];
      if (report.state === 'DELIVERED') return [whole(known.parts === 1 ? 'DELIVERED' : 'SENT')];
      const receipts = new Set(known.receipts?.split(' ') ?? []).add(report.envelope);
      const counted = [...receipts].slice(0, known.parts);
      await countReceipts.all(db, { id, device, receipts: counted.join(' ') });
      return [whole('SENT'), ...counted.map((_, index) => partDelivered(id, index + 1))];
    }
    default:
      return report satisfies never;
  }
}

function partDelivered(id: string, part: number): DispatchReport {
  return { id, state: 'DELIVERED', part, error: null };
}
