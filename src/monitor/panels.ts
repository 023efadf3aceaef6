/** All panels of a reading. Pure. */
import type { Panel } from './panel.js';
import { devicesPanel } from './panel-devices.js';
import { alertsPanel, dispatchesPanel, notificationsPanel } from './panel-messages.js';
import { paymentsPanel, reviewsPanel } from './panel-payments.js';
import { jobsPanel, nodesPanel } from './panel-works.js';
import type { Snapshot } from './snapshot.js';

/** @param now milliseconds since the epoch. @returns in the order in which Tab goes through them. */
export function panelsOf({ phones, shop }: Snapshot, now: number): readonly Panel[] {
  const devices = devicesPanel(phones, shop?.alerts.latest ?? [], now);
  if (shop === null) return [devices];
  return [
    devices,
    paymentsPanel(shop.payments, now),
    reviewsPanel(shop.reviews, now),
    notificationsPanel(shop.notifications, now),
    alertsPanel(shop.alerts, now),
    dispatchesPanel(shop.dispatches, now),
    nodesPanel(shop.nodes, now),
    jobsPanel(shop.jobs, now),
  ];
}
