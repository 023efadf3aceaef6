/** One SMS that a forwarder app brings, and how its phone is doing. */
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaText } from '../../base/values/clock.js';
import { echoed, storableText } from '../../base/values/text.js';
import { type ForwardFormat, forwardHealth, parseForwardedSms } from '../../domain/sms/forward-formats.js';
import { changeRefusals, findRefusals, recordPhoneCalls } from '../../store/tables/devices.js';
import { type DeviceContext, recordAgent } from '../access/authenticate-device.js';
import type { Core } from '../core/core.js';
import { syncDevice } from './sync-device.js';

interface ForwardSms {
  readonly device: DeviceContext;
  readonly format: ForwardFormat;
  /** The body as it came, JSON or form. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @returns once the SMS is durable. @throws KashboxError `invalid_input` for what can be no SMS */
export async function forwardSms(core: Core, input: ForwardSms): Promise<'stored' | 'duplicate'> {
  const { device, format, fields } = input;
  await recordAgent(core, device, 'forwarder');
  const read = parseForwardedSms(format, fields);
  switch (read.kind) {
    case 'incomplete':
      throw new KashboxError('invalid_input', { message: read.missing.map(missingText).join('; ') });
    case 'notification':
      throw new KashboxError('invalid_input', {
        message: 'This is a notification, not an SMS; turn off the notification access of the app',
      });
    case 'other_event':
      throw new KashboxError('invalid_input', {
        message: `This event is ${echoed(read.event)} , not a received SMS`,
        hint: 'Configure the app to post only message.phone.received.',
      });
    case 'message': {
      const { results } = await syncDevice(core, {
        device,
        messages: [{ ...read.message, received_at: read.message.received_at ?? undefined }],
        health: { ...forwardHealth(fields), problem: isRefusalOver(core, device) ? null : undefined },
      });
      const [result] = results;
      if (result === undefined || result.state === 'rejected') {
        throw new KashboxError('invalid_input', { message: result?.reason ?? 'This is not an SMS' });
      }
      return result.state;
    }
    default:
      return read satisfies never;
  }
}

/** A day without a refusal. */
const REFUSED_FOR_MS = 86_400_000;

function isRefusalOver(core: Core, { refusedAt = null }: DeviceContext): boolean {
  return refusedAt !== null && refusedAt < core.clock.now() - REFUSED_FOR_MS;
}

/** Text for the operator of a phone whose hand-overs are refused; the app itself reports nothing. */
function refusedText(count: number, since: number, reason: string): string {
  const at = dhakaText(since).slice(0, 16);
  const what = count === 1 ? '1 request was' : `${count} requests were`;
  return (
    `${what} refused since ${at}: ${reason.replace(/[.!]$/, '')}. ` +
    'Correct what the app posts (docs/forwarders.md), then let it send those SMS again or type them in: kashbox sms add'
  );
}

/**
 * Counts a refused hand-over as a problem of the phone, which `devices show`, `doctor` and an alert show.
 * @param reason text that the app received.
 */
export async function recordRefusal(core: Core, device: DeviceContext, reason: string): Promise<void> {
  const now = core.clock.now();
  await core.store.write(async (db) => {
    const known = await findRefusals(db, device.deviceId);
    const isNew = known === undefined || known.refused_at === null || known.refused_at < now - REFUSED_FOR_MS;
    const refused = isNew ? 1 : (known.refused ?? 0) + 1;
    const since = isNew ? now : (known.refused_since ?? now);
    const problem = refusedText(refused, since, storableText(reason).slice(0, MAX_REASON));
    await changeRefusals(db, device.deviceId, { refused, refused_since: since, refused_at: now, problem });
    await recordPhoneCalls(db, [{ id: device.deviceId, seenAt: now, health: null }]);
  });
}

const MAX_REASON = 200;

/** @param names names of one field, our own name first. */
function missingText([name, ...others]: readonly string[]): string {
  const called = others.length === 0 ? '' : `, it is also called ${others.join(' or ')}`;
  return `${name} is missing or not a text${called}`;
}
