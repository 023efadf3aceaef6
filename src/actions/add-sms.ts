/** An operator types in an SMS that the relay missed. It goes the same way as any other. */
import type { IncomingSms } from '../domain/incoming-sms.js';
import { writeAudit } from '../store/tables/audit.js';
import type { Core } from './core.js';
import { type TakenSms, takeSms } from './take-sms.js';

export interface AddSms {
  readonly merchantId: string;
  /** Wallet number of the SIM that received it, 11 digits. */
  readonly recipient: string;
  readonly sender: string;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number;
  /** Who typed it in, for the audit. */
  readonly who: string;
}

export async function addSms(core: Core, input: AddSms): Promise<TakenSms> {
  const message: IncomingSms = {
    id: 'typed',
    sender: input.sender,
    body: input.body,
    receivedAt: input.receivedAtMs,
    simSlot: null,
  };
  const taken = await takeSms(core, {
    merchantId: input.merchantId,
    deviceId: null,
    messages: [message],
    recipientOf: () => input.recipient,
  });
  await core.store.write((db) =>
    writeAudit(db, core.random, {
      at: core.clock.now(),
      who: input.who,
      action: 'sms.add',
      subject: input.merchantId,
      after: {
        sender: input.sender,
        recipient: input.recipient,
        state: taken.states[0],
        settled: taken.settled,
      },
    }),
  );
  return taken;
}
