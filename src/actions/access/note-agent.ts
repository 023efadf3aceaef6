/** Records what calls for a phone, when it has changed; shown by `devices list`. */
import type { DeviceTable } from '../../store/schema/index.js';
import { markAgent } from '../../store/tables/dispatches.js';
import type { Core } from '../core/core.js';
import type { DeviceContext } from './authenticate-device.js';

export async function noteAgent(
  core: Core,
  device: DeviceContext,
  agent: DeviceTable['agent'],
): Promise<void> {
  if (device.agent === agent) return;
  await core.store.write((db) => markAgent.all(db, { id: device.deviceId, agent }));
}
