/**
 * The one table of everything that can go wrong and that a caller may meet.
 * Knows nothing of payments beyond their names; HTTP, CLI and docs all read from here.
 */

/** Process exit codes: 1 unexpected, 2 invalid, 3 not found, 4 refused, 5 unreachable. */
type Exit = 1 | 2 | 3 | 4 | 5;

/** Exit code by category: the caller changes the request or waits, or the operator repairs something. */
const EXIT = {
  invalid: 2,
  unauthorised: 4,
  forbidden: 4,
  missing: 3,
  refused: 4,
  limited: 4,
  unavailable: 5,
  internal: 5,
} as const satisfies Record<string, Exit>;

export type ErrorCategory = keyof typeof EXIT;

export interface ErrorEntry {
  readonly category: ErrorCategory;
  /** HTTP status of the answer. */
  readonly status: number;
  readonly exit: Exit;
  readonly message: string;
  /** Next step for the user, in one sentence. Shown by the CLI, never by the HTTP API. */
  readonly hint: string;
}

/** @param texts message and hint by code. */
function rows<Code extends string>(
  category: ErrorCategory,
  status: number,
  texts: Readonly<Record<Code, readonly [message: string, hint: string]>>,
): Readonly<Record<Code, ErrorEntry>> {
  const common = { category, status, exit: EXIT[category] };
  const entries = Object.entries<readonly [string, string]>(texts).map(
    ([code, [message, hint]]) => [code, { ...common, message, hint }] as const,
  );
  return Object.fromEntries(entries) as Record<Code, ErrorEntry>;
}

export const ERRORS = {
  ...rows('invalid', 400, {
    invalid_input: ['The request is not valid', 'Correct the named field and try again.'],
    invalid_json: ['The body is not valid JSON', 'Send one JSON object in UTF-8.'],
    fields_required: ['cus_name and amount fields are required', 'Give both cus_name and amount.'],
    items_total: [
      'The items do not add up to the amount',
      'Send delivery and fees as lines of their own, and a discount as a line with a negative price.',
    ],
    method_unknown: ['method must be one of the channels', 'Use one of the named methods.'],
    method_unavailable: [
      'This payment method is not available for this brand',
      'Use a method that payment/create listed, or set an account for it with `kashbox accounts set`.',
    ],
  }),
  ...rows('invalid', 422, {
    field_required: ['A required field is missing', 'Give the field that the message names.'],
    field_invalid: ['A field is not valid', 'Correct the field that the message names and try again.'],
    amount_out_of_range: [
      'The amount must be between 1 and 1000000',
      'Give taka as plain digits with at most two decimals, for example 500 or 500.50.',
    ],
    amount_decimals: [
      'The amount has more than two decimals: round it to 2',
      'Round the amount where it is calculated: a price times a rate has parts of a paisa.',
    ],
    number_invalid: [
      'number is not a phone number that can be sent to',
      'Give it as +8801XXXXXXXXX or 01XXXXXXXXX, for other countries with + and the country code.',
    ],
    message_too_long: [
      'The message is too long: at most 10 SMS parts',
      'Shorten it; with Bangla in it a part has 67 characters, otherwise 153.',
    ],
  }),
  ...rows('invalid', 415, {
    unsupported_media_type: [
      'Content-Type must be application/json',
      'Send the header Content-Type: application/json.',
    ],
  }),
  ...rows('invalid', 413, {
    body_too_large: ['The request body is too large', 'Send a smaller body.'],
    batch_too_large: [
      'At most 200 messages are accepted in one request',
      'Send the messages in batches of at most 200.',
    ],
  }),
  ...rows('invalid', 431, {
    headers_too_large: ['The request headers are too large', 'Send at most 16 KiB of headers.'],
  }),
  ...rows('invalid', 408, {
    request_timeout: ['The request took too long to arrive', 'Send the whole request within 10 seconds.'],
  }),
  ...rows('unauthorised', 401, {
    key_missing: ['BRAND-KEY header is required', 'Send the header BRAND-KEY.'],
    key_invalid: [
      'Invalid or inactive BRAND-KEY provided',
      'Check the key with `kashbox keys list`, or create a new one with `kashbox keys rotate`.',
    ],
    device_key_missing: ['DEVICE-KEY header is required', 'Send the header DEVICE-KEY.'],
    device_key_invalid: [
      'Invalid or revoked DEVICE-KEY provided',
      'Pair the phone again: `kashbox devices enroll`.',
    ],
    acquirer_key_missing: [
      'ACQUIRER-KEY header is required',
      'Send the header ACQUIRER-KEY, or with --auth basic the key as user name.',
    ],
    acquirer_key_invalid: [
      'Invalid or revoked ACQUIRER-KEY provided',
      'Create a new one with `kashbox acquirers create`.',
    ],
    acquirer_signature_invalid: [
      'The signature is missing or wrong',
      'Sign the raw body with HMAC-SHA256 and the secret of `kashbox acquirers create`.',
    ],
    pairing_code_invalid: [
      'The pairing code is wrong, used or expired',
      'Create a new one with `kashbox devices rotate NAME`; a code works once, for 10 minutes.',
    ],
    metrics_token_invalid: [
      'The metrics token is missing or wrong',
      'Send Authorization: Bearer with the value of KASHBOX_METRICS_TOKEN.',
    ],
    gateway_key_missing: [
      'GATEWAY-KEY header is required',
      'Send the header GATEWAY-KEY; `kashbox devices enroll` and `kashbox devices rotate` show it.',
    ],
    gateway_key_invalid: [
      'Invalid or revoked GATEWAY-KEY provided',
      'Check the key, or create a new one with `kashbox devices rotate`.',
    ],
    device_keys_missing: [
      'DEVICE-KEYS header is required',
      'Send the header DEVICE-KEYS with one or more device keys, separated by commas.',
    ],
    device_keys_invalid: [
      'None of the DEVICE-KEYS is known',
      'Check the keys; `kashbox devices rotate` shows new ones.',
    ],
    app_signature_invalid: [
      'X-Signature is missing or wrong',
      'Restart the app, so that it fetches its signing key; if that does not help, `kashbox devices rotate`.',
    ],
  }),
  ...rows('forbidden', 403, {
    metrics_private: [
      'Metrics are available on this machine only',
      'Set KASHBOX_METRICS_TOKEN and send it as Authorization: Bearer.',
    ],
    merchant_suspended: [
      'Merchant account suspended, contact compliance support',
      'Activate the merchant with `kashbox merchants activate`.',
    ],
    ip_not_allowed: [
      'Requests from this IP address are not allowed for this merchant',
      'Add the address with `kashbox merchants update --allow-ip`.',
    ],
    https_required: [
      'HTTPS is required; plain HTTP requests are rejected',
      'Call the HTTPS address of the daemon.',
    ],
    refunds_off: [
      'Refunds by the API are off for this brand',
      'Create it with `kashbox refunds create`, or allow a sum a day: kashbox brands update --api-refunds',
    ],
    form_refused: [
      'The form does not belong to this browser',
      'Open the payment link again, with cookies allowed.',
    ],
  }),
  ...rows('missing', 404, {
    route_not_found: ['There is nothing at this address', 'Check the path.'],
    not_found: ['Not found', 'List existing ones with the `list` command of the topic.'],
    session_not_found: ['Payment session not found or expired', 'Create a new payment session.'],
    transaction_not_found: [
      'Transaction ID not found, ensure customer has completed transfer',
      'Retry in 5 seconds; the claim is saved and settles automatically when the money arrives.',
    ],
    transaction_not_final: [
      'Transaction found but not final yet',
      'Retry in 5 seconds; the claim is saved and settles automatically once it is final.',
    ],
  }),
  ...rows('missing', 405, {
    method_not_allowed: [
      'This address does not support that HTTP method',
      'Use the method that the Allow header names.',
    ],
  }),
  ...rows('refused', 400, {
    already_credited: [
      'Transaction ID already verified and credited for another order',
      'One payment can settle only one order; ask the customer for the right transaction id.',
    ],
    session_completed: [
      'Payment session is already completed by another transaction',
      'See the payment with `kashbox payments show`.',
    ],
    proof_disagrees: [
      'The transaction does not match this payment',
      'Compare the payment (`kashbox payments show`) with the money received (`kashbox sms list`).',
    ],
    refund_exceeds_paid: [
      'More than was paid cannot be sent back',
      'See what was paid and refunded with `kashbox payments show`.',
    ],
    number_ambiguous: [
      'Several payers match the last four digits; give the full mobile number',
      'Ask the customer for all 11 digits of the number that paid.',
    ],
  }),
  ...rows('refused', 409, {
    state_refused: ['This is not possible in the current state', 'Check its state first.'],
    facts_changed: ['The facts have changed since they were shown', 'Check them again, then decide.'],
    warning_unconfirmed: [
      'There are warnings about this money',
      'Check them first; --force approves despite them.',
    ],
    already_exists: ['It already exists', 'Choose another name, or use the existing one.'],
    notification_only: ['Completed; the shop is notified by webhook only', 'See docs/plugins.md.'],
    idempotency_conflict: ['This idempotency_key was used for another request', 'Use a new key for it.'],
    dispatch_conflict: [
      'This idempotency_key was used for another message',
      'Use a new key for every message, and the same key only to repeat the very same request.',
    ],
  }),
  ...rows('limited', 429, {
    too_many_requests: ['Too many requests, slow down', 'Wait for the time in Retry-After.'],
    too_many_attempts: [
      'Too many attempts for this payment session',
      'Create a new payment session, or let an operator look with `kashbox payments show`.',
    ],
    day_limit_reached: ['The daily limit for this is reached', 'Wait until midnight (see Retry-After).'],
    dispatch_queue_full: [
      'Too many SMS wait for this phone',
      'Wait until some are sent: a phone sends at most 24 parts a minute. Spread the rest over more phones.',
    ],
  }),
  ...rows('unavailable', 503, {
    streams_full: [
      'Too many payment pages are listening for updates',
      'Nothing is lost: pages poll every few seconds. Raise KASHBOX_CHECKOUT_STREAMS.',
    ],
    phones_full: [
      'Too many relay phones are listening for messages',
      'Nothing is lost: phones poll every ten seconds. Raise KASHBOX_RELAY_STREAMS.',
    ],
    store_busy: [
      'The store is busy, try again',
      'Try again in a second; if it continues, look for a long-running command on the same store.',
    ],
    store_unreachable: [
      'The store cannot be reached',
      'Check KASHBOX_HOME or KASHBOX_DATABASE_URL, then run `kashbox doctor`.',
    ],
    store_read_only: [
      'The store can be read but not written',
      'Run as the user who owns the home folder, on a disk that is not mounted read-only; on PostgreSQL, use its primary.',
    ],
    store_full: ['The disk of the store is full', 'Free some disk space.'],
    store_damaged: [
      'The store reports an input/output error or damage',
      'Stop the daemon, check the disk, then run `kashbox doctor`.',
    ],
    daemon_unreachable: ['The daemon cannot be reached', 'Start it with `kashbox daemon`.'],
    daemon_draining: ['The daemon is shutting down', 'Try again in a few seconds.'],
    port_unavailable: [
      'The daemon cannot listen on its port',
      'Stop what uses the port, or choose others with --port and --http-port.',
    ],
  }),
  ...rows('unavailable', 502, {
    node_unavailable: [
      'Upstream blockchain node timeout, retry in 10 seconds',
      'The claim is saved and retried automatically; if this continues, run `kashbox nodes check`.',
    ],
    exchange_unavailable: [
      'The exchange does not answer, retry in 10 seconds',
      'The claim is saved and retried automatically; if this continues, run `kashbox doctor`.',
    ],
    registry_unavailable: [
      'The npm registry gave no usable answer',
      'Try again later; only `kashbox update --check` needs it.',
    ],
  }),
  ...rows('internal', 500, {
    secret_unreadable: [
      'An encrypted secret cannot be decrypted with this secret.key',
      'Restore the secret.key of this store.',
    ],
  }),
  ...rows('refused', 503, {
    store_newer: [
      'The store was created by a newer Kashbox',
      'Install that version of Kashbox, or a later one.',
    ],
  }),
  ...rows('invalid', 500, {
    config_invalid: ['The settings are not valid', 'Correct every setting that is named.'],
    backup_damaged: ['The backup is damaged or incomplete', 'Nothing was changed. Use another copy of it.'],
    passphrase_wrong: [
      'The passphrase does not open this backup',
      'Nothing was changed. Use the passphrase that was set when the backup was created.',
    ],
  }),
  internal: {
    category: 'internal',
    status: 500,
    exit: 1,
    message: 'An unexpected error occurred',
    hint: 'Look at the log of the daemon.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
