/**
 * Follows a server's request to send all SMS from a certain time again, until all are delivered. Not kept on
 * disk: a server that still misses something asks again.
 */
type Stage =
  | { readonly kind: 'idle' }
  /** The inbox is being read once more. */
  | { readonly kind: 'reading'; readonly since: number }
  /** It has been read; `left` are the messages that are not delivered yet. */
  | { readonly kind: 'delivering'; readonly since: number; readonly left: readonly string[] };

export class Resend {
  private stage: Stage = { kind: 'idle' };

  /** Processes the server's answer. Returns the time to read from for a new request. */
  asked(since: number | null): number | null {
    if (since === null) {
      this.stage = { kind: 'idle' };
      return null;
    }
    if (this.stage.kind !== 'idle' && this.stage.since === since) return null;
    this.stage = { kind: 'reading', since };
    return since;
  }

  /** Everything from `since` on has been read; `queued` are the ids that wait now. */
  read(since: number, queued: readonly string[]): void {
    if (this.stage.kind !== 'reading' || this.stage.since !== since) return;
    this.stage = { kind: 'delivering', since, left: queued };
  }

  /** Since when everything has been sent again, or null while that cannot be said. */
  done(isQueued: (id: string) => boolean): number | null {
    if (this.stage.kind !== 'delivering') return null;
    const { since, left } = this.stage;
    const rest = left.filter(isQueued);
    this.stage = { kind: 'delivering', since, left: rest };
    return rest.length === 0 ? since : null;
  }
}
