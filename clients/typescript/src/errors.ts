/** Everything that the client throws. A message says what to do, and never has a key or secret in it. */

export class KashboxError extends Error {
  override name = 'KashboxError';
}

/** An option or argument is missing or malformed. Nothing was sent. */
export class InvalidInputError extends KashboxError {
  override name = 'InvalidInputError';
}

/** Kashbox did not answer, or what answered is not Kashbox. The same call may be repeated. */
export class ApiConnectionError extends KashboxError {
  override name = 'ApiConnectionError';
}

/** Kashbox answered with an error. */
export class RefusedError extends KashboxError {
  override name = 'RefusedError';

  /**
   * @param status HTTP status.
   * @param reason message of Kashbox.
   */
  constructor(
    readonly status: number,
    readonly reason: string,
  ) {
    super(`Kashbox answered ${status}: ${reason}`);
  }
}

/** The payment exists, but it is not the payment of this order and amount. Never deliver on it. */
export class PaymentMismatchError extends KashboxError {
  override name = 'PaymentMismatchError';
}

export type SignatureFault = 'no_header' | 'malformed' | 'wrong' | 'too_old' | 'in_the_future';

/** The notification does not prove that Kashbox sent it just now: answer 401. */
export class SignatureError extends KashboxError {
  override name = 'SignatureError';

  constructor(
    readonly reason: SignatureFault,
    message: string,
  ) {
    super(message);
  }
}
