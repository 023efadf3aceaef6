/** Listens for the server's call, so that the agent syncs at once. Knows nothing of what there is for it. */

import type { Runtime, ServerLine, StreamEnd } from '../ports.js';
import type { SyncVerdict } from '../sync/server-answer.js';
import { backoffMs, MIN_WAIT_MS } from '../time/backoff.js';
import { Pump } from '../time/pump.js';

/** Maximum length of a line; longer lines are not from Kashbox and are dropped. */
const MAX_LINE = 4_096;
/** Number of consecutive streams without data after which long polling is used instead. */
const FAILURES = 3;
/** Delay after a refused stream; the sync reports the reason. */
const NO_STREAMS_MS = 300_000;
const NO_STREAMS: readonly number[] = [401, 403, 404, 503];

interface WakePorts extends Pick<Runtime, 'clock' | 'random'> {
  readonly line: ServerLine;
  /** Sync now. */
  readonly onCall: () => void;
  /** Enables long polling of syncs while there is no stream. */
  readonly onLongPoll: (wanted: boolean) => void;
}

export class WakeChannel extends Pump<WakePorts, 'paired'> {
  private readonly abort = new AbortController();
  private failures = 0;
  /** An exchange was refused since the stream was. */
  private wasUnpaired = false;

  override stop(): void {
    this.abort.abort();
    super.stop();
  }

  /** Called after every request: an accepted or new key starts another try of the stream. */
  note(verdict: SyncVerdict): void {
    if (verdict.kind === 'unpaired') this.wasUnpaired = true;
    if (verdict.kind !== 'accepted' || !this.wasUnpaired) return;
    this.wasUnpaired = false;
    this.timer.notify('paired');
  }

  async run(): Promise<void> {
    while (!this.timer.stopped) {
      this.timer.clear('paired');
      await this.listen();
    }
  }

  private async listen(): Promise<void> {
    const { line, random, onCall, onLongPoll } = this.ports;
    let heard = false;
    const events = new EventText((name) => {
      if (name === 'wake') onCall();
    });
    const onText = (text: string): void => {
      if (!heard) {
        heard = true;
        this.failures = 0;
        onLongPoll(false);
        // Work queued before the stream opened sent no event.
        onCall();
      }
      events.push(text);
    };
    const end = await line.events(onText, this.abort.signal);
    if (this.timer.stopped) return;
    this.failures = heard ? 0 : this.failures + 1;
    const isRefused = letsNobodyListen(end);
    onLongPoll(isRefused || this.failures >= FAILURES);
    // A fixed least wait keeps a stream that ends at once slow.
    const retryMs = Math.max(MIN_WAIT_MS, backoffMs(Math.max(1, this.failures), random()));
    await this.timer.wait(isRefused ? NO_STREAMS_MS : retryMs, 'paired');
  }
}

function letsNobodyListen(end: StreamEnd): boolean {
  return end.kind === 'refused' && NO_STREAMS.includes(end.status);
}

/** Reads server-sent events out of text as it arrives (WHATWG HTML, "Interpreting an event stream"). */
export class EventText {
  private rest = '';
  private tooLong = false;
  private eventName = '';

  /** @param onEvent called with the name of each complete event; the data of an event is ignored */
  constructor(private readonly onEvent: (name: string) => void) {}

  push(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!this.tooLong && line.length <= MAX_LINE) this.readLine(line.replace(/\r$/, ''));
      this.tooLong = false;
    }
    if (this.rest.length > MAX_LINE) {
      this.rest = '';
      this.tooLong = true;
    }
  }

  private readLine(line: string): void {
    if (line === '') {
      if (this.eventName !== '') this.onEvent(this.eventName);
      this.eventName = '';
      return;
    }
    const found = /^event:\s?(.*)$/.exec(line);
    if (found !== null) this.eventName = found[1] ?? '';
  }
}
