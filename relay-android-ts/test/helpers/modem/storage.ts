/** The storages of a modem: places from 1 on, of which each takes one PDU. */

/** `SM` is the SIM, `ME` the modem itself, `SR` the status reports. */
export type Memory = 'SM' | 'ME' | 'SR';

export interface Stored {
  readonly pdu: string;
  isRead: boolean;
}

export class Storage {
  private readonly places = new Map<Memory, Map<number, Stored>>();

  constructor(readonly sizes: Readonly<Record<Memory, number>>) {
    for (const memory of ['SM', 'ME', 'SR'] as const) this.places.set(memory, new Map());
  }

  of(memory: Memory): Map<number, Stored> {
    return this.places.get(memory) ?? new Map();
  }

  /** The place; null where the storage is full. */
  put(memory: Memory, pdu: string): number | null {
    const taken = this.of(memory);
    for (let place = 1; place <= this.sizes[memory]; place += 1) {
      if (taken.has(place)) continue;
      taken.set(place, { pdu, isRead: false });
      return place;
    }
    return null;
  }

  /** In the order of their places. */
  list(memory: Memory): (readonly [number, Stored])[] {
    return [...this.of(memory)].sort(([one], [other]) => one - other);
  }
}
