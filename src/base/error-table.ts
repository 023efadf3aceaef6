/**
 * The one table of everything that can go wrong and that a caller may meet.
 * Knows nothing of payments beyond their names; HTTP, CLI and docs all read from here.
 */

/** Who must act: the caller mends the request, waits, or the operator mends the installation. */
export type ErrorCategory =
  | 'invalid'
  | 'unauthorised'
  | 'forbidden'
  | 'missing'
  | 'refused'
  | 'limited'
  | 'unavailable'
  | 'internal';

export interface ErrorEntry {
  readonly category: ErrorCategory;
  /** HTTP status of the answer (spec section 7). */
  readonly status: number;
  /** Process exit code (design.md 7): 1 unexpected, 2 invalid, 3 not found, 4 refused, 5 unreachable. */
  readonly exit: 1 | 2 | 3 | 4 | 5;
  readonly message: string;
  /** What to do next, in one sentence. Shown by the CLI, never by the HTTP API. */
  readonly hint: string;
}

const entry = (
  category: ErrorCategory,
  status: number,
  exit: ErrorEntry['exit'],
  message: string,
  hint: string,
): ErrorEntry => ({ category, status, exit, message, hint });

export const ERRORS = {
  // Requests that a caller can mend.
  invalid_input: entry(
    'invalid',
    400,
    2,
    'The request is not valid',
    'Correct the named field and try again.',
  ),
  invalid_json: entry('invalid', 400, 2, 'The body is not valid JSON', 'Send one JSON object in UTF-8.'),
  fields_required: entry(
    'invalid',
    400,
    2,
    'cus_name and amount fields are required',
    'Give both cus_name and amount.',
  ),
  field_required: entry(
    'invalid',
    422,
    2,
    'A required field is missing',
    'Give the field that the message names.',
  ),
  field_invalid: entry(
    'invalid',
    422,
    2,
    'A field is not valid',
    'Correct the field that the message names and try again.',
  ),
  amount_out_of_range: entry(
    'invalid',
    422,
    2,
    'The amount must be between 1 and 1000000',
    'Give taka as plain digits with at most two decimals, for example 500 or 500.50.',
  ),
  unsupported_media_type: entry(
    'invalid',
    415,
    2,
    'Content-Type must be application/json',
    'Send the header Content-Type: application/json.',
  ),
  body_too_large: entry('invalid', 413, 2, 'The request body is too large', 'Send a smaller body.'),
  headers_too_large: entry(
    'invalid',
    431,
    2,
    'The request headers are too large',
    'Send at most 16 KiB of headers.',
  ),
  request_timeout: entry(
    'invalid',
    408,
    2,
    'The request took too long to arrive',
    'Send the whole request within 10 seconds.',
  ),
  batch_too_large: entry(
    'invalid',
    413,
    2,
    'At most 200 messages are accepted in one request',
    'Send the messages in batches of at most 200.',
  ),
  method_unknown: entry(
    'invalid',
    400,
    2,
    'method must be one of mfs_a, mfs_b, mfs_c, mfs_d, qr_interbank, exchange_pay, bep20',
    'Use one of the named methods.',
  ),
  method_unavailable: entry(
    'invalid',
    400,
    2,
    'This payment method is not available for this brand',
    'Use a method that payment/create listed, or set an account for it with `kashbox accounts set`.',
  ),
  // Credentials.
  key_missing: entry('unauthorised', 401, 4, 'BRAND-KEY header is required', 'Send the header BRAND-KEY.'),
  key_invalid: entry(
    'unauthorised',
    401,
    4,
    'Invalid or inactive BRAND-KEY provided',
    'Check the key with `kashbox keys list`, or make a new one with `kashbox keys rotate`.',
  ),
  device_key_missing: entry(
    'unauthorised',
    401,
    4,
    'DEVICE-KEY header is required',
    'Send the header DEVICE-KEY.',
  ),
  device_key_invalid: entry(
    'unauthorised',
    401,
    4,
    'Invalid or revoked DEVICE-KEY provided',
    'Pair the phone again: `kashbox devices enroll`.',
  ),
  pairing_code_invalid: entry(
    'unauthorised',
    401,
    4,
    'The pairing code is wrong, used or expired',
    'Make a new one with `kashbox devices enroll`; a code works once, for 10 minutes.',
  ),
  merchant_suspended: entry(
    'forbidden',
    403,
    4,
    'Merchant account suspended, contact compliance support',
    'Activate the merchant with `kashbox merchants activate`.',
  ),
  ip_not_allowed: entry(
    'forbidden',
    403,
    4,
    'Requests from this IP address are not allowed for this merchant',
    'Add the address with `kashbox merchants update --allow-ip`.',
  ),
  https_required: entry(
    'forbidden',
    403,
    4,
    'HTTPS is required; plain HTTP requests are rejected',
    'Call the HTTPS address of the daemon.',
  ),
  form_refused: entry(
    'forbidden',
    403,
    4,
    'The form does not belong to this browser',
    'Open the payment link again, with cookies allowed.',
  ),
  // Things that are not there.
  route_not_found: entry('missing', 404, 3, 'There is nothing at this address', 'Check the path.'),
  method_not_allowed: entry(
    'missing',
    405,
    3,
    'This address does not answer that HTTP method',
    'Use the method that the Allow header names.',
  ),
  not_found: entry(
    'missing',
    404,
    3,
    'Not found',
    'List what there is with the `list` command of the topic.',
  ),
  session_not_found: entry(
    'missing',
    404,
    3,
    'Payment session not found or expired',
    'Create a new payment session.',
  ),
  transaction_not_found: entry(
    'missing',
    404,
    3,
    'Transaction ID not found, ensure customer has completed transfer',
    'Ask again in 5 seconds; the claim is kept and settles by itself when the SMS arrives.',
  ),
  // Things refused in the state they are in.
  already_credited: entry(
    'refused',
    400,
    4,
    'Transaction ID already verified and credited for another order',
    'One payment can settle only one order; ask the customer for the right transaction id.',
  ),
  session_completed: entry(
    'refused',
    400,
    4,
    'Payment session is already completed by another transaction',
    'Look the payment up with `kashbox payments show`.',
  ),
  proof_disagrees: entry(
    'refused',
    400,
    4,
    'The transaction does not match this payment',
    'Compare the SMS with the payment: `kashbox sms list` and `kashbox payments show`.',
  ),
  state_refused: entry(
    'refused',
    409,
    4,
    'This is not possible in the present state',
    'Look at its state first.',
  ),
  already_exists: entry('refused', 409, 4, 'It exists already', 'Choose another name, or use what is there.'),
  // Limits.
  too_many_requests: entry('limited', 429, 4, 'Too many requests, slow down', 'Wait as Retry-After says.'),
  too_many_attempts: entry(
    'limited',
    429,
    4,
    'Too many attempts for this payment session',
    'Create a new payment session, or let an operator look with `kashbox payments show`.',
  ),
  streams_full: entry(
    'unavailable',
    503,
    5,
    'Too many payment pages are open to be told at once',
    'Nothing is lost, pages ask every few seconds; raise KASHBOX_CHECKOUT_STREAMS.',
  ),
  // The installation.
  store_busy: entry(
    'unavailable',
    503,
    5,
    'The store is busy, try again',
    'Try again in a second; if it stays so, look for a long-running command on the same store.',
  ),
  store_unreachable: entry(
    'unavailable',
    503,
    5,
    'The store cannot be reached',
    'Check KASHBOX_HOME or KASHBOX_DATABASE_URL, then run `kashbox doctor`.',
  ),
  store_full: entry('unavailable', 503, 5, 'The disk of the store is full', 'Free some disk space.'),
  store_damaged: entry(
    'internal',
    500,
    5,
    'The store reports an input/output error or damage',
    'Stop the daemon, check the disk, then run `kashbox doctor`.',
  ),
  store_newer: entry(
    'refused',
    500,
    4,
    'The store was made by a newer Kashbox',
    'Install the Kashbox version that made it, or a later one.',
  ),
  daemon_unreachable: entry(
    'unavailable',
    503,
    5,
    'The daemon cannot be reached',
    'Start it with `kashbox daemon`.',
  ),
  daemon_draining: entry('unavailable', 503, 5, 'The daemon is shutting down', 'Try again in a few seconds.'),
  port_unavailable: entry(
    'unavailable',
    503,
    5,
    'The daemon cannot listen on its port',
    'Stop what uses the port, or choose others with --port and --http-port.',
  ),
  config_invalid: entry(
    'invalid',
    500,
    2,
    'The settings are not valid',
    'Correct every setting that is named.',
  ),
  secret_unreadable: entry(
    'internal',
    500,
    5,
    'A sealed secret cannot be opened with this key file',
    'Put back the secret.key that belongs to this store.',
  ),
  internal: entry('internal', 500, 1, 'Something unexpected went wrong', 'Look at the log of the daemon.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
