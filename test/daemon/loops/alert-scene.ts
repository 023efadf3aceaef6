/** A shop whose phone gets into problem, and the means to tell of it: for tests of alerts on their way. */
import type { ExecutionContext } from 'ava';
import { startAlerter } from '../../../daemon/loops/alerter.js';
import { addAlertTarget } from '../../../src/actions/alerts/alert-targets.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { raiseAlert } from '../../../src/actions/alerts/raise-alert.js';
import type { TypedTarget } from '../../../src/actions/alerts/target-input.js';
import type { Core } from '../../../src/actions/core/core.js';
import { openLog } from '../../../src/base/io/log.js';
import { createSender } from '../../../src/notify/send.js';
import { createAlertSender } from '../../../src/notify/send-alert.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openShop } from '../../helpers/shop/shop.js';
import { openTestCore, testClock } from '../../helpers/stores/engines.js';

/** With all the time that a slow machine needs. */
export const alertSender = createAlertSender({
  sender: createSender(),
  env: { PATH: process.env.PATH },
  limitMs: 120_000,
});

/** An alerter that runs for as long as the test does. */
export function runAlerter(t: ExecutionContext<unknown>, core: Core, lines: string[] = []): void {
  const { log } = openLog('debug', { write: (line) => lines.push(line) });
  const alerter = startAlerter(core, log, { alertSender, records: { record: () => {} } });
  t.teardown(() => alerter.stop());
}

export const add = (core: Core, target: TypedTarget) => addAlertTarget(core, { target, who: 'test' });
export const webhook = (url: string): TypedTarget => ({ kind: 'webhook', url, allowPrivate: false });

export async function openScene(t: ExecutionContext<unknown>, engine: Engine = 'sqlite') {
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock });
  const shop = await openShop(core);
  let raised = 0;
  const raise = async () => {
    raised += 1;
    // Lists are in the order of time.
    clock.advance(1);
    const incident = `device.battery_low:${shop.deviceId}:${raised}`;
    const { merchantId, deviceId } = shop;
    await core.store.write((db) =>
      raiseAlert(core, db, {
        ...{ kind: 'device.battery_low', merchantId, deviceId, incident, detail: { battery: 20 - raised } },
      }),
    );
    return incident;
  };
  return { clock, core, shop, raise };
}

/** What was told of the newest alert, `state tries error`. */
export async function tellings(core: Core): Promise<string[]> {
  const [alert] = await listAlerts(core, { open: false, limit: 1 });
  return (alert?.told ?? []).map(({ kind, state, tries, error }) =>
    [kind, state, tries, error ?? ''].join(' ').trimEnd(),
  );
}
