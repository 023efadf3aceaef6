/**
 * The app "SMS Gateway for Android" as a script: what its published source (snapshot of July 2026) does on a
 * phone, step by step and without a phone. It keeps its registration, settings, webhooks, the SMS that it was
 * given and the notifications that it has not got rid of; tests say what happens to the phone.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type Clock, dhakaIso } from '../../../src/base/values/clock.js';

export interface AppCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** What stands behind the API URL, or a whole address for a webhook. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface AppAnswer {
  readonly status: number;
  readonly text: string;
}

/** How the app reaches its server; it may throw, as a network does. */
export type AppServer = (call: AppCall) => Promise<AppAnswer>;

interface Registration {
  readonly id: string;
  readonly token: string;
  readonly login: string;
  readonly password: string;
}

interface Hook {
  readonly id: string;
  readonly url: string;
  readonly event: string;
}

/** An SMS in the app's own database. */
export interface AppMessage {
  readonly id: string;
  readonly text: string;
  readonly phoneNumbers: readonly string[];
  readonly simNumber?: number;
  readonly validUntil: string;
  state: 'Pending' | 'Processed' | 'Sent' | 'Delivered' | 'Failed';
  error?: string;
}

export interface ReceivedSms {
  readonly sender: string;
  readonly text: string;
  /** Milliseconds since the epoch; the app keeps whole seconds. */
  readonly at: number;
  /** 1 for the first SIM; left out where the phone cannot tell. */
  readonly simNumber?: number;
}

/** A notification on its way. */
interface Queued {
  readonly url: string;
  readonly json: string;
}

type Settings = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export class GatewayApp {
  settings: Settings = {};
  hooks: readonly Hook[] = [];
  /** Names of all SMS that went out, one for each time. */
  readonly radio: string[] = [];
  readonly messages = new Map<string, AppMessage>();
  /** Notifications that no 2xx has answered yet. */
  queue: readonly Queued[] = [];
  registered: Registration | null = null;

  /** @param base what its owner entered as API URL. */
  constructor(
    private readonly server: AppServer,
    private readonly clock: Clock,
    private readonly base: string,
  ) {}

  get registration(): Registration {
    if (this.registered === null) throw new TypeError('the app is not registered');
    return this.registered;
  }

  call(method: AppCall['method'], path: string, body?: object): Promise<AppAnswer> {
    return this.server({
      method,
      path: `${this.base}${path}`,
      headers: {
        authorization: `Bearer ${this.registration.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** @param authorization what it makes of the private token that its owner typed. */
  async register(authorization: string): Promise<AppAnswer> {
    const simCards = [{ slotIndex: 0, simNumber: 1, phoneNumber: '*******0001' }];
    const answer = await this.server({
      method: 'POST',
      path: `${this.base}/device`,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'samsung/a12nsxx', simCards }),
    });
    if (answer.status === 201) this.registered = JSON.parse(answer.text) as Registration;
    return answer;
  }

  /** What it does on SettingsUpdated and WebhooksUpdated. */
  async provision(): Promise<void> {
    this.settings = JSON.parse((await this.call('GET', '/settings')).text) as Settings;
    this.hooks = JSON.parse((await this.call('GET', '/webhooks')).text) as Hook[];
  }

  /** Hears an SMS, and tries to tell. @param older writes as versions before 1.54 do. */
  async hear({ sender, text, at, simNumber }: ReceivedSms, older = false): Promise<readonly number[]> {
    this.emit('sms:received', {
      message: text,
      receivedAt: withMillis(at),
      messageId: randomBytes(4).toString('hex'),
      ...(older ? {} : { sender }),
      ...(simNumber === undefined ? {} : { simNumber }),
      phoneNumber: sender,
    });
    return this.flush();
  }

  /** One turn over everything that waits; what fails waits on. @returns the statuses, 0 for no answer. */
  async flush(): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (const item of this.queue) {
      const status = await this.post(item);
      statuses.push(status);
      if (status >= 200 && status < 300) this.queue = this.queue.filter((other) => other !== item);
    }
    return statuses;
  }

  /** What it does on MessageEnqueued, on connecting and with each ping. */
  async pull(): Promise<void> {
    const answer = await this.call('GET', '/message?order=fifo').catch(() => undefined);
    if (answer?.status !== 200) return;
    const list = JSON.parse(answer.text) as (AppMessage & { readonly textMessage: { text: string } })[];
    for (const message of list) {
      const known = this.messages.get(message.id);
      if (known !== undefined) await this.tellState(known);
      else this.messages.set(message.id, { ...message, text: message.textMessage.text });
    }
  }

  /** Hands the next SMS to Android, unless its time is over. @returns it, or undefined where none waits. */
  async sendNext(): Promise<AppMessage | undefined> {
    const next = [...this.messages.values()].find(({ state }) => state === 'Pending');
    if (next === undefined) return undefined;
    if (Date.parse(next.validUntil) < this.clock.now()) {
      await this.failed(next.id, 'TTL expired');
      return next;
    }
    this.radio.push(next.id);
    next.state = 'Processed';
    await this.tellState(next);
    return next;
  }

  /** Android's word on an SMS that it was handed, once for all parts. */
  sent(id: string): Promise<void> {
    return this.move(id, 'Sent', 'sms:sent', { partsCount: 1, sentAt: withMillis(this.clock.now()) });
  }

  failed(id: string, reason: string): Promise<void> {
    const failedAt = withMillis(this.clock.now());
    return this.move(id, 'Failed', 'sms:failed', { failedAt, reason }, reason);
  }

  /** The network's word that one part arrived. */
  delivered(id: string): Promise<void> {
    return this.move(id, 'Delivered', 'sms:delivered', { deliveredAt: withMillis(this.clock.now()) });
  }

  async ping(checks: Readonly<Record<string, number>>): Promise<readonly number[]> {
    const observed = Object.entries(checks).map(([name, observedValue]) => [
      name,
      { status: 'pass', observedValue, observedUnit: 'x', description: 'x' },
    ]);
    const health = { version: '1.66.1', releaseId: 1, status: 'pass', checks: Object.fromEntries(observed) };
    this.emit('system:ping', { health });
    return this.flush();
  }

  emit(event: string, payload: object): void {
    for (const hook of this.hooks.filter((known) => known.event === event)) {
      const deviceId = this.registration.id;
      const json = JSON.stringify({ id: nanoId(), webhookId: hook.id, event, deviceId, payload });
      this.queue = [...this.queue, { url: hook.url, json }];
    }
  }

  /** Every change of state is told twice: to the server, and by a webhook where it has one. */
  private async move(
    id: string,
    state: AppMessage['state'],
    event: string,
    payload: object,
    error?: string,
  ): Promise<void> {
    const message = this.messages.get(id);
    if (message === undefined) throw new TypeError(`the app has no SMS ${id}`);
    message.state = state;
    if (error !== undefined) message.error = error;
    const [recipient] = message.phoneNumbers;
    this.emit(event, { messageId: id, recipient, phoneNumber: recipient, ...payload });
    await this.tellState(message);
    await this.flush();
  }

  private async tellState({ id, state, error, phoneNumbers }: AppMessage): Promise<void> {
    const recipients = phoneNumbers.map((phoneNumber) => ({ phoneNumber, state, error }));
    const states = { [state]: withMillis(this.clock.now()) };
    await this.call('PATCH', '/message', [{ id, state, recipients, states }]).catch(() => undefined);
  }

  /** Signed anew with each try, by the key of that moment. */
  private async post({ url, json }: Queued): Promise<number> {
    const key = String(this.settings.webhooks?.signing_key ?? 'made-up');
    const timestamp = String(Math.floor(this.clock.now() / 1000));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'me.capcom.smsgateway/1.66.1',
      'x-signature': createHmac('sha256', key)
        .update(json + timestamp)
        .digest('hex'),
      'x-timestamp': timestamp,
    };
    const answer = await this.server({ method: 'POST', path: url, headers, body: json }).catch(() => null);
    return answer?.status ?? 0;
  }
}

/** The app's dates: whole seconds of an SMS, written with milliseconds and the phone's own offset. */
function withMillis(ms: number): string {
  return dhakaIso(ms).replace('+', '.000+');
}

function nanoId(): string {
  return randomBytes(16).toString('base64url').slice(0, 21);
}
