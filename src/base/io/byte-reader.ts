/** Takes exact numbers of bytes from a stream of pieces of any size. Knows nothing of what they mean. */

export class ByteReader {
  private readonly source: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** @returns the next bytes, fewer only where the stream ends. */
  async upTo(size: number): Promise<Buffer> {
    const pieces = [];
    for await (const piece of this.pieces(size)) pieces.push(piece);
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  /** The same piece by piece, for what may be larger than memory. */
  async *pieces(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (!(await this.hasMore())) return;
      const piece = this.rest.subarray(0, left);
      this.rest = this.rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async hasMore(): Promise<boolean> {
    while (this.rest.length === 0) {
      const { done, value } = await this.source.next();
      if (done === true) return false;
      this.rest = value;
    }
    return true;
  }

  /** Lets go of the stream before its end. */
  async close(): Promise<void> {
    await this.source.return?.();
  }
}
