/** SMS to test with. */
import type { QueuedMessage } from '../../src/core/inbox/queue.js';
import { toMessage } from '../../src/core/inbox/queue.js';
import type { InboxRow, Log } from '../../src/core/ports.js';

export function smsText(number: number): string {
  return `You have received Tk ${number}.00 from 01700000000. Fee Tk 0.00. TrxID TEST${String(number).padStart(6, '0')}`;
}

export function row(number: number, changes: Partial<InboxRow> = {}): InboxRow {
  return {
    key: `test#${number}`,
    sender: 'bKash',
    body: smsText(number),
    receivedAt: '2026-01-31T10:00:00.000+06:00',
    simSlot: 1,
    ...changes,
  };
}

export function message(number: number, changes: Partial<InboxRow> = {}): QueuedMessage {
  return toMessage('dev_test', row(number, changes), 1_769_832_000_000);
}

export function messages(count: number): QueuedMessage[] {
  return Array.from({ length: count }, (_, index) => message(index));
}

/** Keeps log lines for the test to read. */
export class MemoryLog implements Log {
  readonly lines: string[] = [];

  info(text: string, facts: object = {}): void {
    this.lines.push(`info ${text} ${JSON.stringify(facts)}`);
  }

  warn(text: string, facts: object = {}): void {
    this.lines.push(`warn ${text} ${JSON.stringify(facts)}`);
  }
}
