/** What speaks for a phone is noted whenever it is another than before: `devices list` shows it. */
import type { DeviceTable } from '../store/schema.js';
import { markAgent } from '../store/tables/app-phones.js';
import type { DeviceContext } from './authenticate-device.js';
import type { Core } from './core.js';

export async function noteAgent(
  core: Core,
  device: DeviceContext,
  agent: DeviceTable['agent'],
): Promise<void> {
  if (device.agent === agent) return;
  await core.store.write((db) => markAgent.all(db, { id: device.deviceId, agent }));
}
