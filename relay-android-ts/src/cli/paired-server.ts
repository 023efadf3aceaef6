/** The line to the server that this home is paired with; follows a new pairing without a restart. */
import { RelayError } from '../core/errors.js';
import type { HttpReply, Log, StreamEnd } from '../core/ports.js';
import { type Line, postSync, streamEvents } from '../core/sync/server-calls.js';
import { nodeSeal } from '../ports/node-clock.js';
import type { Config, Home } from '../ports/node-home.js';
import { NodeHttp } from '../ports/node-http.js';

export class PairedLine implements Line {
  readonly #home: Home;
  readonly #log: Log;
  #config: Config;
  #http: NodeHttp;
  /** A stream holds its connection for hours. */
  #streamHttp: NodeHttp;

  private constructor(home: Home, log: Log, config: Config) {
    this.#home = home;
    this.#log = log;
    this.#config = config;
    this.#http = new NodeHttp(config.url, config.trust);
    this.#streamHttp = new NodeHttp(config.url, config.trust);
  }

  /** Throws `not_paired` if the home has no pairing yet. */
  static async open(home: Home, log: Log): Promise<PairedLine> {
    const config = await home.readConfig();
    if (config === undefined) throw new RelayError('not_paired');
    return new PairedLine(home, log, config);
  }

  get deviceId(): string {
    return this.#config.deviceId;
  }

  /** For people: who we are there. */
  describe(): string {
    return `${this.#config.url} as "${this.#config.deviceName}" (${this.#config.deviceId})`;
  }

  sync(body: string, stop: AbortSignal, patienceMs: number): Promise<HttpReply> {
    return postSync(this.#http, this.#config.deviceKey, body, stop, patienceMs);
  }

  seal(text: string): string {
    return nodeSeal(this.#config.deviceKey, text);
  }

  events(onText: (text: string) => void, stop: AbortSignal): Promise<StreamEnd> {
    return streamEvents(this.#streamHttp, this.#config.deviceKey, onText, stop);
  }

  async renew(): Promise<void> {
    const config = await this.#home.readConfig().catch(() => undefined);
    if (config === undefined || config.deviceKey === this.#config.deviceKey) return;
    this.close();
    this.#config = config;
    this.#http = new NodeHttp(config.url, config.trust);
    this.#streamHttp = new NodeHttp(config.url, config.trust);
    this.#log.info('the phone has been paired anew', { device: config.deviceId });
  }

  close(): void {
    this.#http.close();
    this.#streamHttp.close();
  }
}
