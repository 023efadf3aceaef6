/** Chance from a seed: the same seed gives the same numbers on every machine and version of Node. */
import { createHash } from 'node:crypto';

export class Chance {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** @param seed any text; texts that differ give numbers that have nothing to do with each other. */
  constructor(private readonly seed: string) {
    const digest = createHash('sha256').update(seed).digest();
    this.a = digest.readInt32LE(0);
    this.b = digest.readInt32LE(4);
    this.c = digest.readInt32LE(8);
    this.d = digest.readInt32LE(12);
  }

  /** @returns another source, which takes nothing from this one. */
  of(name: string | number): Chance {
    return new Chance(`${this.seed}/${name}`);
  }

  /** @returns a whole number from 0 to 2^32 - 1 (the generator sfc32). */
  private word(): number {
    const sum = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + sum) | 0;
    return sum >>> 0;
  }

  /** @returns from 0 up to, not including, 1. */
  readonly part = (): number => this.word() / 4_294_967_296;

  /** @returns a whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.part() * (most - least + 1));
  }

  is(probability: number): boolean {
    return this.part() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.whole(0, list.length - 1)];
    if (found === undefined) throw new RangeError('nothing to pick from');
    return found;
  }

  /** As `RandomSource`. */
  readonly bytes = (size: number): Uint8Array => {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; at += 4) {
      const word = this.word();
      for (let byte = 0; byte < 4 && at + byte < size; byte += 1) bytes[at + byte] = word >>> (8 * byte);
    }
    return bytes;
  };
}
