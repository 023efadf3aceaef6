/** Hands SMS from the outbox to the phone, one after the other, and keeps what came of each. */
import { errorMessage } from '../errors.js';
import type { Dispatch, Runtime, Sender, SendOutcome } from '../ports.js';
import { Pump, WakeableTimer, withinTime } from '../time/pump.js';
import type { Outbox } from './outbox.js';

/** A full disk is not freed in a moment. */
const STORAGE_RETRY_MS = 5_000;
/** Time limit of one SMS, so that it does not delay the next. */
const HAND_OVER_MS = 60_000;
/** Duration after which no result is expected; default for platforms that do not specify `outcomeMs`. */
const OUTCOME_MS = 90_000;
/** Maximum time that a stop waits for the results of SMS already sent. */
const STOP_GRACE_MS = 4_000;
const LONG_MS = 3_600_000;

interface OutboxPumpPorts extends Pick<Runtime, 'clock' | 'log'> {
  readonly outbox: Outbox;
  readonly sender: Sender;
  /** Called when there is something to report. */
  readonly onNews: () => void;
}

export class OutboxPump extends Pump<OutboxPumpPorts, 'work'> {
  /** Separate timer, because it must also wake the pump after `stop`, while it waits for the last results. */
  private readonly outcomes: WakeableTimer<'outcome'>;
  /** Functions that cancel the wait for the result of each sent SMS. */
  private readonly unheard = new Map<string, () => void>();

  constructor(ports: OutboxPumpPorts) {
    super(ports);
    this.outcomes = new WakeableTimer(ports.clock);
    ports.sender.onLateResult?.((id, outcome) => this.receive(id, outcome));
  }

  /** Something was taken. */
  wake(): void {
    this.timer.notify('work');
  }

  async run(): Promise<void> {
    while (!this.timer.stopped) {
      this.timer.clear('work');
      const waitMs = await this.step().catch((error) => {
        this.ports.log.warn('the outbox cannot be written; nothing is sent until it can', {
          reason: errorMessage(error),
        });
        return STORAGE_RETRY_MS;
      });
      if (waitMs > 0) await this.timer.wait(waitMs, 'work');
    }
    await this.hearTheLast();
    this.ports.sender.close();
  }

  /** Returns how long there is nothing to do. */
  private async step(): Promise<number> {
    const { outbox, sender, clock, onNews } = this.ports;
    const step = outbox.next(clock.now(), sender);
    switch (step.kind) {
      case 'nothing':
        return LONG_MS;
      case 'wait':
        return step.ms;
      case 'expire':
        if (await outbox.note(step.id, { state: 'EXPIRED' })) onNews();
        return 0;
      case 'send':
        await this.send(step.dispatch);
        return 0;
      default:
        return step satisfies never;
    }
  }

  private async send(dispatch: Dispatch): Promise<void> {
    const { outbox, sender, clock } = this.ports;
    const { id } = dispatch;
    await outbox.begin(id, clock.now());
    const silence: SendOutcome = { state: 'UNKNOWN', error: 'the phone did not tell what came of it' };
    this.unheard.set(
      id,
      clock.after(sender.outcomeMs ?? OUTCOME_MS, () => void this.receive(id, silence)),
    );
    const started = sender
      .send(dispatch, (outcome) => void this.receive(id, outcome))
      .catch((error) => this.receive(id, { state: 'UNKNOWN', error: errorMessage(error) }))
      .finally(() => this.wake());
    // A platform that says which SIM is busy can send over several at a time.
    if (sender.canSend === undefined) await withinTime(clock, started, HAND_OVER_MS);
  }

  private async receive(id: string, outcome: SendOutcome): Promise<void> {
    const { outbox, log, onNews } = this.ports;
    if (!(await outbox.note(id, outcome))) return;
    this.unheard.get(id)?.();
    this.unheard.delete(id);
    if ('error' in outcome) log.warn('an SMS was not sent, as far as is known', { id, ...outcome });
    else log.info('an SMS was sent', { id, state: outcome.state });
    this.outcomes.notify('outcome');
    onNews();
  }

  private async hearTheLast(): Promise<void> {
    const end = this.ports.clock.now() + STOP_GRACE_MS;
    for (;;) {
      this.outcomes.clear('outcome');
      const left = end - this.ports.clock.now();
      if (this.unheard.size === 0 || left <= 0) break;
      await this.outcomes.wait(left, 'outcome');
    }
    for (const cancel of this.unheard.values()) cancel();
  }
}
