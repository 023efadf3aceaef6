/** The calls to the daemon, and the line to that one with which this home is paired. */
import { RelayError } from '../core/errors.js';
import type { HttpReply, Log, ServerLine, StreamEnd } from '../core/ports.js';
import { parseVerdict, type SyncVerdict } from '../core/sync/server-answer.js';
import { nodeClock, nodeSeal } from '../ports/node-clock.js';
import type { Config, Home } from '../ports/node-home.js';
import { NodeHttp } from '../ports/node-http.js';

const REQUEST_DEADLINE_MS = 20_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
/** The server sends a heartbeat every 15 s; the limit is three of them. */
const SILENT_MS = 45_000;

interface ServerCall {
  readonly deviceKey?: string;
  readonly stop?: AbortSignal;
  /** Duration for which the server was asked to wait before it answers, ms. */
  readonly maxWaitMs?: number;
}

/** @param call name of the endpoint, relative to `/api/v2/relay/` */
export function post(
  http: NodeHttp,
  call: string,
  body: string,
  options: ServerCall = {},
): Promise<HttpReply> {
  const { deviceKey, stop = new AbortController().signal, maxWaitMs = 0 } = options;
  const request = {
    path: `/api/v2/relay/${call}`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(deviceKey === undefined ? {} : { 'device-key': deviceKey }),
    },
    body,
    deadlineMs: REQUEST_DEADLINE_MS + maxWaitMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  };
  return http.post(request, stop);
}

export type Probe =
  /** `refused`: the device key was rotated or revoked. */
  | { readonly kind: 'well' | 'refused' }
  /** `unwell`: something answers, but not as a healthy Kashbox server does. */
  | { readonly kind: 'untrusted' | 'unwell' | 'unreachable'; readonly reason: string };

/**
 * Checks that the server is reachable, trusted and accepts the device key. No side effects: it sends an empty
 * list of SMS rather than a sync, because a sync would lease the SMS that the running agent is to send.
 */
export async function probe({ url, trust, deviceKey }: Config): Promise<Probe> {
  const http = new NodeHttp(url, trust);
  const reply = await post(http, 'sms', '{"messages":[]}', { deviceKey }).finally(() => http.close());
  const asked = { sent: [], seal: (text: string) => nodeSeal(deviceKey, text) };
  return judge(parseVerdict(reply, asked, nodeClock.now()));
}

function judge(verdict: SyncVerdict): Probe {
  switch (verdict.kind) {
    case 'accepted':
      return { kind: 'well' };
    case 'unpaired':
      return { kind: 'refused' };
    case 'unreachable':
    case 'untrusted':
      return verdict;
    case 'failed':
    case 'too_large':
      return { kind: 'unwell', reason: verdict.reason };
    default:
      return verdict satisfies never;
  }
}

/** A stream holds its connection for hours, so it has one of its own. */
function connect({ url, trust }: Config) {
  return { calls: new NodeHttp(url, trust), stream: new NodeHttp(url, trust) };
}

/** Follows a new pairing without a restart. */
export class PairedServerClient implements ServerLine {
  private connections: ReturnType<typeof connect>;

  private constructor(
    private readonly home: Home,
    private readonly log: Log,
    private config: Config,
  ) {
    this.connections = connect(config);
  }

  /** Throws `not_paired` if the home has no pairing yet. */
  static async open(home: Home, log: Log): Promise<PairedServerClient> {
    const config = await home.readConfig();
    if (config === undefined) throw new RelayError('not_paired');
    return new PairedServerClient(home, log, config);
  }

  get deviceId(): string {
    return this.config.deviceId;
  }

  /** Describes the server and this device for users. */
  describe(): string {
    return `${this.config.url} as "${this.config.deviceName}" (${this.config.deviceId})`;
  }

  sync(body: string, stop: AbortSignal, maxWaitMs: number): Promise<HttpReply> {
    return post(this.connections.calls, 'sync', body, { deviceKey: this.config.deviceKey, stop, maxWaitMs });
  }

  seal(text: string): string {
    return nodeSeal(this.config.deviceKey, text);
  }

  events(onText: (text: string) => void, stop: AbortSignal): Promise<StreamEnd> {
    const headers = { accept: 'text/event-stream', 'device-key': this.config.deviceKey };
    const request = { path: '/api/v2/relay/events', headers, silentMs: SILENT_MS };
    return this.connections.stream.stream(request, onText, stop);
  }

  async renew(): Promise<void> {
    const config = await this.home.readConfig().catch(() => undefined);
    if (config === undefined || config.deviceKey === this.config.deviceKey) return;
    this.close();
    this.config = config;
    this.connections = connect(config);
    this.log.info('the phone was paired again', { device: config.deviceId });
  }

  close(): void {
    for (const http of Object.values(this.connections)) http.close();
  }
}

/**
 * Pairs if a link is given. A used link is accepted if the existing pairing works.
 * @returns description of the paired server, for users
 * @throws RelayError `not_paired` if there is neither a link nor a pairing; errors of `pairWith`
 */
export async function pairOnce(
  home: Home,
  link: string | undefined,
  pairWith: (link: string) => Promise<void>,
): Promise<string> {
  const before = await home.readConfig();
  if (link !== undefined) {
    await pairWith(link).catch(async (error: unknown) => {
      // The line was pasted twice: its code is used, but the key from it is valid.
      const isUsed = error instanceof RelayError && error.code === 'pairing_refused';
      const isGood = isUsed && before !== undefined && (await probe(before)).kind === 'well';
      if (!isGood) throw error;
    });
  }
  const config = await home.readConfig();
  if (config === undefined) throw new RelayError('not_paired');
  return `${config.url} as "${config.deviceName}"`;
}
