/**
 * Sends SMS through ModemManager, each at most once: it is created as an object, which `--send` sends, and
 * ModemManager refuses to send an object twice. A result that is not certain is `unknown`.
 */
import type { ModemEvents, OutgoingSms, SendDetails, SendResult } from '../modem.js';
import type { CreateSms } from './create-sms.js';
import {
  describeFailure,
  type Manager,
  type MmcliAnswer,
  type MmcliFailure,
  problemOfFailure,
} from './mmcli.js';
import { parseSmsObject, type SmsObject } from './sms-object.js';

const NUMBER = /^\+?[\d*#]+$/;
const OBJECT = /\/org\/freedesktop\/ModemManager1\/SMS\/\d+/;

/** The network or the modem has said no. */
const REFUSED = /Error\.(Message|MobileEquipment)\./;
/** Errors after which the SMS may have been sent. */
const UNSURE = /\.(NetworkTimeout|Unknown|Unknown\w*|MeFailure|PhoneFailure|LinkTimeout): /;
/** ModemManager has not begun to send. */
const NOT_BEGUN =
  /Core\.(Unauthorized|Unsupported|WrongState|InvalidArgs|NotFound|TooMany)|Cannot prepare SMS|PolicyKit/;
/** A cause of the network or of the SMS centre (3GPP TS 24.011, E-2, and TS 23.040, 9.2.3.22). */
const NETWORK_CAUSE = /Unknown message error: ([12]?\d{1,2})\b/;

interface Late extends SendDetails {
  readonly id: string;
  readonly until: number;
}

export class SmsSender {
  /** Objects of SMS that are being sent, or whose result is not known, with the ids of their dispatches. */
  private readonly late = new Map<string, Late>();
  private current: string | null = null;

  constructor(
    private readonly manager: Manager,
    private readonly createSms: CreateSms,
  ) {}

  /** True if ModemManager may be sending. */
  get isBusy(): boolean {
    return this.current !== null || this.late.size > 0;
  }

  uses(object: string): boolean {
    return object === this.current || this.late.has(object);
  }

  /** @param modem its D-Bus object @returns what came of it, and the answer of the modem, for the watchdog */
  async send(modem: string, sms: OutgoingSms): Promise<{ handover: SendResult; answer: MmcliAnswer }> {
    const { mmcli, clock, times } = this.manager;
    const created = await this.create(modem, sms);
    if (typeof created !== 'string') return { handover: refused(problemOfFailure(created)), answer: created };
    this.current = created;
    const { sendLimitMs, lateMs } = times;
    // mmcli gives up first, and says why.
    const timeout = Math.max(1, Math.floor((sendLimitMs * 0.95) / 1000));
    const answer = await mmcli.run(['-s', created, '--send', `--timeout=${timeout}`], sendLimitMs);
    const handover = await this.judge(created, answer);
    const { id, number } = sms;
    const at = clock.now();
    if (handover.kind === 'unknown') this.late.set(created, { id, number, at, until: at + lateMs });
    else await this.discard(modem, created);
    this.current = null;
    return { handover, answer };
  }

  /**
   * Polls for results that were unknown after sending. An object without a result within the limit is no
   * longer used.
   */
  async followUp(modem: string, tell: ModemEvents['onHandedOver']): Promise<void> {
    for (const [object, { id, until, ...about }] of [...this.late]) {
      const sms = await this.readSms(object);
      if (sms?.state === 'sent') {
        this.late.delete(object);
        tell(id, { kind: 'sent', references: [sms.reference] }, about);
        await this.discard(modem, object);
      } else if (this.manager.clock.now() >= until) {
        // Its leftovers are removed with those of earlier runs.
        this.late.delete(object);
      }
    }
  }

  /** The D-Bus object. Nothing is sent yet, so that every failure means that it is not. */
  private async create(modem: string, { number, text }: OutgoingSms): Promise<string | MmcliFailure> {
    if (!NUMBER.test(number)) return { kind: 'failed', message: 'this is no phone number' };
    if (text.includes('\0'))
      return { kind: 'failed', message: 'the text has a character that cannot be sent' };
    const answer = await this.createSms(modem, number, text);
    if (answer.kind !== 'answered') {
      this.manager.log.warn('an SMS cannot be handed to ModemManager', { why: describeFailure(answer) });
      return answer;
    }
    return OBJECT.exec(answer.stdout)?.[0] ?? { kind: 'failed', message: 'ModemManager names no new SMS' };
  }

  private async judge(object: string, answer: MmcliAnswer): Promise<SendResult> {
    if (answer.kind === 'answered') {
      const sms = await this.readSms(object);
      return { kind: 'sent', references: sms?.state === 'sent' ? [sms.reference] : [] };
    }
    const handover = toSendResult(answer);
    this.manager.log.warn('an SMS was not sent', { why: describeFailure(answer), known: handover.kind });
    return handover;
  }

  private async readSms(object: string): Promise<SmsObject | null> {
    const read = await this.manager.mmcli.read(['-s', object]);
    return read.kind === 'answered' ? parseSmsObject(read.fields) : null;
  }

  /** Deletes the object. If that fails, it is removed later with the leftovers of earlier runs. */
  private async discard(modem: string, object: string): Promise<void> {
    await this.manager.mmcli.run(['-m', modem, `--messaging-delete-sms=${object}`]);
  }
}

function toSendResult(failure: MmcliFailure): SendResult {
  switch (failure.kind) {
    // mmcli has not found what it should send, or with whom.
    case 'missing':
    case 'not_running':
    case 'no_modem':
    case 'several':
    case 'no_sms':
    case 'not_enabled':
    case 'no_messaging':
    case 'forbidden':
      return refused(problemOfFailure(failure));
    case 'hung':
    case 'modem_hung':
      return { kind: 'unknown', error: problemOfFailure(failure) };
    case 'failed':
      return isRefusal(failure.message) ? refused(reasonIn(failure.message)) : unknown(failure.message);
    default:
      return failure satisfies never;
  }
}

function isRefusal(message: string): boolean {
  if (NOT_BEGUN.test(message)) return true;
  if (!REFUSED.test(message)) return false;
  return NETWORK_CAUSE.test(message) || !UNSURE.test(message);
}

function refused(error: string): SendResult {
  return { kind: 'refused', error };
}

function unknown(message: string): SendResult {
  return { kind: 'unknown', error: reasonIn(message) };
}

/** Extracts the reason from `error: couldn't send the SMS: 'GDBus.Error:org.….NoNetwork: No network'`. */
function reasonIn(message: string): string {
  const quoted = /: '(?:GDBus\.Error:[\w.]+: )?(.*)'$/.exec(message)?.[1] ?? message;
  return quoted === '' ? 'ModemManager reports an error' : quoted;
}
