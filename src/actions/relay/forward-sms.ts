/** One SMS that a forwarder app brings, and how its phone is doing. */
import { KashboxError } from '../../base/errors/errors.js';
import { type ForwardFormat, readForwarded } from '../../domain/sms/forward-formats.js';
import { forwardHealth } from '../../domain/sms/forward-health.js';
import type { DeviceContext } from '../access/authenticate-device.js';
import { noteAgent } from '../access/note-agent.js';
import type { Core } from '../core/core.js';
import { syncDevice } from './sync-device.js';

export interface ForwardSms {
  readonly device: DeviceContext;
  readonly format: ForwardFormat;
  /** The body as it came, JSON or form. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @returns once the SMS is durable. @throws KashboxError `invalid_input` for what can be no SMS */
export async function forwardSms(core: Core, input: ForwardSms): Promise<'stored' | 'duplicate'> {
  const { device, format, fields } = input;
  await noteAgent(core, device, 'forwarder');
  const read = readForwarded(format, fields);
  switch (read.kind) {
    case 'incomplete':
      throw new KashboxError('invalid_input', { message: read.missing.map(missingText).join('; ') });
    case 'notification':
      throw new KashboxError('invalid_input', {
        message: 'This is a notification and no SMS; switch notification access of the app off',
      });
    case 'message': {
      const { results } = await syncDevice(core, {
        device,
        messages: [{ ...read.message, received_at: read.message.received_at ?? undefined }],
        health: forwardHealth(fields),
      });
      const [result] = results;
      if (result === undefined || result.state === 'rejected') {
        throw new KashboxError('invalid_input', { message: result?.reason ?? 'This is no SMS' });
      }
      return result.state;
    }
    default:
      return read satisfies never;
  }
}

/** @param names those of one field, ours first. */
function missingText([name, ...others]: readonly string[]): string {
  const called = others.length === 0 ? '' : `, it is also called ${others.join(' or ')}`;
  return `${name} is missing or no text${called}`;
}
