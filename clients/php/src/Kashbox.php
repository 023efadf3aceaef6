<?php
/**
 * Client of the Kashbox API: creates a payment, verifies it, receives its notifications and delivers its
 * order once. One file without dependencies, PHP 7.4 or newer. Not kept here: orders and prices, which are
 * the shop's.
 */

declare(strict_types=1);

namespace Kashbox;

/** Everything that this file throws. A message says what to do, and never has a key or secret in it. */
class KashboxError extends \RuntimeException
{
}

/** An option or argument is missing or malformed. Nothing was sent. */
class InvalidInputError extends KashboxError
{
}

/** Kashbox did not answer, or what answered is not Kashbox. The same call may be repeated. */
class ApiConnectionError extends KashboxError
{
}

/** Kashbox answered with an error. */
class RefusedError extends KashboxError
{
    /** HTTP status. */
    public int $status;
    /** Message of Kashbox. */
    public string $reason;

    public function __construct(int $status, string $reason)
    {
        parent::__construct("Kashbox answered $status: $reason", $status);
        $this->status = $status;
        $this->reason = $reason;
    }
}

/** The payment exists, but it is not the payment of this order and amount. Never deliver on it. */
class PaymentMismatchError extends KashboxError
{
}

/** The notification does not prove that Kashbox sent it just now: answer 401. */
class SignatureError extends KashboxError
{
    /** `no_header`, `malformed`, `wrong`, `too_old` or `in_the_future`. */
    public string $reason;

    public function __construct(string $reason, string $message)
    {
        parent::__construct($message);
        $this->reason = $reason;
    }
}

/** A created payment. Store `id` with the order, and redirect the customer to `url`. */
final class CreatedPayment
{
    /** Session reference, 32 characters. */
    public string $id;
    /** Address of the payment page. */
    public string $url;

    public function __construct(string $id, string $url)
    {
        $this->id = $id;
        $this->url = $url;
    }
}

/** The payment of the order and amount given to verify. */
final class Payment
{
    public string $id = '';
    public string $order = '';
    /** Requested taka, such as "500.00". */
    public string $amount = '';
    /** `completed`, `pending`, `review` (an operator decides) or `failed` (cancelled, refused or expired). */
    public string $state = '';
    /** True if `state` is `completed`: deliver. */
    public bool $isPaid = false;
    /**
     * Taka received, without the fee; null if nothing has come. An operator may have accepted another sum. Of
     * a payment in parts also while `isPaid` is false.
     */
    public ?string $paidAmount = null;
    /** Taka that are still due of a payment in parts; null before its first part, and of all others. */
    public ?string $dueAmount = null;
    /** Taka that were sent back to the customer. */
    public string $refundedAmount = '0.00';
    /** `mfs_a` … `bank`, or null while unknown. */
    public ?string $paymentMethod = null;
    /** Reference of the wallet or bank once paid, before that of Kashbox. */
    public string $transactionId = '';
    /** True if the payment was simulated: a test brand, no money. */
    public bool $isTest = false;
    /** Set by settle for a paid order: `delivered` (by this call), `repeated` (earlier) or `running`. */
    public ?string $delivery = null;
    /** The transaction record as Kashbox answered it. */
    public array $data = [];
}

/** Refunds that the operator has to send. `payment.refunded` says that one was sent. */
final class CreatedRefunds
{
    /** One, or one for each number that paid a part, as Kashbox answered it. */
    public array $refunds = [];
    /** Taka of the payment that were sent back. */
    public string $refundedAmount = '0.00';
    /** Taka of the payment that have to be sent. */
    public string $pendingAmount = '0.00';
}

/** A notification whose signature is valid. */
final class Event
{
    /**
     * `payment.completed`, `payment.pending`, `payment.failed`, `payment.disputed`, `payment.partial`,
     * `payment.refunded` or `ping`.
     */
    public string $event = '';
    /** Id of the notification, the same in all its repeats. */
    public string $id = '';
    /** Order that create named; null for a ping and for payments created without this client. */
    public ?string $order = null;
    /** Session reference of the payment; null for a ping. */
    public ?string $sessionId = null;
    /** All fields of the notification. */
    public array $data = [];
}

/** Remembers which orders were delivered. */
interface DeliveryStore
{
    /**
     * Runs `$deliver` if the order was not delivered yet. Of several calls at once, one runs it. If it
     * throws, the order counts as not delivered, and the exception is thrown on.
     * @return string `delivered` (by this call), `repeated` (earlier) or `running` (another call delivers
     *   now)
     */
    public function once(string $order, callable $deliver): string;
}

/** Keeps one file for each delivered order in a folder that no browser can reach. */
final class FileDeliveryStore implements DeliveryStore
{
    private const DELIVERED = "delivered\n";
    private string $folder;

    /** @param string $folder exists, and the user of the web server may write to it */
    public function __construct(string $folder)
    {
        $this->folder = rtrim($folder, '/');
    }

    /**
     * A file without the line "delivered" is `running`: another call delivers now, or was killed in the
     * middle. In the latter case check the order, and delete the file to deliver it again.
     */
    public function once(string $order, callable $deliver): string
    {
        $file = $this->folder . '/' . hash('sha256', $order);
        // Mode x creates the file, or fails if it exists: of two calls at once, one delivers.
        $handle = self::quietly(function () use ($file) {
            return fopen($file, 'x');
        });
        if ($handle === false) return $this->stateOf($file);
        try {
            fwrite($handle, "$order\n");
            $deliver();
        } catch (\Throwable $fault) {
            fclose($handle);
            unlink($file);
            throw $fault;
        }
        fwrite($handle, self::DELIVERED);
        fclose($handle);
        return 'delivered';
    }

    private function stateOf(string $file): string
    {
        if (!is_dir($this->folder) || !is_writable($this->folder)) {
            throw new KashboxError(
                "Cannot write to the folder {$this->folder}: create it, and give it to the user of the server."
            );
        }
        $text = (string) self::quietly(function () use ($file) {
            return file_get_contents($file);
        });
        return preg_match('/\n' . self::DELIVERED . '$/D', $text) ? 'repeated' : 'running';
    }

    /** Handlers of shops and frameworks may throw for a warning, even for one that @ suppresses. */
    private static function quietly(callable $work)
    {
        set_error_handler(function () {
            return true;
        });
        try {
            return $work();
        } finally {
            restore_error_handler();
        }
    }
}

final class Kashbox
{
    private const OPTIONS = ['url', 'key', 'secret', 'ca', 'timeout', 'transport', 'deliveries'];
    private const ORDER = ['order', 'amount', 'successUrl', 'cancelUrl', 'webhookUrl', 'customerName',
        'customerEmail', 'description', 'items', 'parts', 'dueOnDelivery', 'metadata', 'attempt'];
    /** Seconds that a signature may be away from now. */
    private const TOLERANCE_S = 300;
    private const MAX_HEADER = 2048;
    private const PAGE = 'the full address of a page of your shop';

    private string $url;
    private string $key;
    /** The bytes that sign notifications; empty if no secret is set. */
    private string $secret = '';
    /** @var callable */
    private $transport;
    private ?DeliveryStore $deliveries;

    /**
     * @param array $options `url` of the installation, with its path if it has one; `key`, the Brand Key;
     *   `secret`, the webhook secret, for receive; `deliveries`, a DeliveryStore, for settle; `ca`, the file
     *   of a self-signed certificate; `timeout` in seconds, 10 by default; `transport`, a `function(string
     *   $method, string $url, array $headers, string $body): array{status: int, body: string}` that throws if
     *   there is no answer and does not follow redirects: by default curl, else PHP's streams
     * @throws InvalidInputError
     */
    public function __construct(array $options)
    {
        self::refuseUnknown($options, self::OPTIONS);
        $this->url = self::urlOf(self::trimmed($options, 'url'));
        $this->key = self::keyOf(self::trimmed($options, 'key'));
        $secret = self::trimmed($options, 'secret');
        if ($secret !== '') $this->secret = self::secretOf($secret);
        $timeout = $options['timeout'] ?? 10;
        if (!is_int($timeout) || $timeout < 1) self::refuse('Set timeout to seconds, such as 10.');
        $this->transport = $options['transport'] ?? new Transport(self::trimmed($options, 'ca'), $timeout);
        if (!is_callable($this->transport)) self::refuse('Set transport to a function.');
        $this->deliveries = $options['deliveries'] ?? null;
    }

    /**
     * Creates a payment. Repeating it, after an answer that was lost, returns the same payment for 24 hours.
     * @param array $order `order` (your order number) and `amount` (see amountOf), from your own database;
     *   `successUrl` and `cancelUrl`, where the customer returns; optional: `webhookUrl`, `customerName`,
     *   `customerEmail`, `description` and `items`, shown on the payment page (each item an array with
     *   `name`, `quantity`, `price`; they must add up to amount and dueOnDelivery), `parts` (if the payment may
     *   come in parts; default: as the brand has it), `dueOnDelivery` (for an advance: taka that the customer
     *   pays on delivery, in addition to the amount), `metadata` (an array of your own), and `attempt`,
     *   1 by default: count it up for a new payment of the same order, after the last one has failed
     * @throws InvalidInputError, RefusedError, ApiConnectionError
     */
    public function create(array $order): CreatedPayment
    {
        self::refuseUnknown($order, self::ORDER);
        $number = self::orderOf($order);
        $amount = self::amountOf($order['amount'] ?? null);
        $attempt = $order['attempt'] ?? 1;
        if (!is_int($attempt) || $attempt < 1) self::refuse('Set attempt to 1, 2, 3 and so on.');
        $metadata = $order['metadata'] ?? [];
        if (!is_array($metadata) || isset($metadata['order'])) {
            self::refuse('Set metadata to an array without "order", which this client adds.');
        }
        $items = $order['items'] ?? [];
        if (!is_array($items)) self::refuse('Set items to a list of arrays with name, quantity and price.');
        $fields = [
            'amount' => $amount,
            'success_url' => self::required($order, 'successUrl', self::PAGE),
            'cancel_url' => self::required($order, 'cancelUrl', self::PAGE),
            'webhook_url' => $order['webhookUrl'] ?? null,
            'cus_name' => $order['customerName'] ?? null,
            'cus_email' => $order['customerEmail'] ?? null,
            'description' => $order['description'] ?? null,
            'items' => $items === [] ? null : array_values($items),
            'parts' => $order['parts'] ?? null,
            'due_on_delivery' => isset($order['dueOnDelivery']) ? self::amountOf($order['dueOnDelivery']) : null,
            'meta_data' => ['order' => $number] + $metadata,
        ];
        $key = hash('sha256', "$number\n$amount\n$attempt");
        $given = array_filter($fields, function ($value) {
            return $value !== null && $value !== '';
        });
        $url = $this->call('payment/create', $given, ['Idempotency-Key' => $key])['payment_url'] ?? null;
        if (!is_string($url) || !preg_match('~^https?://.*/([0-9a-f]{32})$~D', $url, $part)) {
            throw $this->strange('an answer without payment_url');
        }
        return new CreatedPayment($part[1], $url);
    }

    /**
     * Verifies that this is the payment of this order and amount, and returns its state.
     * @param array $payment `id` (from create, or `sessionId` of a notification; never from the customer's
     *   browser), `order` and `amount` as you gave them to create
     * @throws PaymentMismatchError if it is the payment of another order or another amount, or if it was
     *   simulated and the key is not a test key; InvalidInputError, RefusedError, ApiConnectionError
     */
    public function verify(array $payment): Payment
    {
        self::refuseUnknown($payment, ['id', 'order', 'amount']);
        $id = self::idOf($payment);
        $order = self::orderOf($payment);
        $amount = self::amountOf($payment['amount'] ?? null);
        $data = $this->call('payment/verify', ['transaction_id' => $id])['data'] ?? null;
        if (!is_array($data)) throw $this->strange('an answer without data');
        $this->compare($data, $order, $amount);
        return self::paymentOf($data, $id, $order, $amount);
    }

    /**
     * Verifies a payment, and delivers its order if it is paid: once, however often and from wherever it is
     * called. For the return page and for the webhook.
     * @param array $payment as for verify
     * @param callable $deliver gets the Payment. If it throws, the next call delivers again
     * @return Payment with `delivery`; answer a webhook with 503 if that is `running`, so that it is repeated
     * @throws KashboxError as verify does, and what `$deliver` throws
     */
    public function settle(array $payment, callable $deliver): Payment
    {
        if ($this->deliveries === null) {
            self::refuse("Set deliveries, such as new FileDeliveryStore('/var/lib/shop/deliveries').");
        }
        $verified = $this->verify($payment);
        if (!$verified->isPaid) return $verified;
        $run = function () use ($deliver, $verified) {
            $deliver($verified);
        };
        $verified->delivery = $this->deliveries->once($verified->order, $run);
        return $verified;
    }

    /**
     * Requests that money goes back to the customer. The operator sends it, to the number that paid.
     * @param array $refund `id` of the payment, from create; `refund`, your own number of this refund: a
     *   repeated call with it creates nothing; `note`, the reason, which the operator sees; optional:
     *   `amount` in taka, by default what was paid without fees and was not sent back
     * @throws InvalidInputError, RefusedError, ApiConnectionError
     */
    public function refund(array $refund): CreatedRefunds
    {
        self::refuseUnknown($refund, ['id', 'refund', 'amount', 'note']);
        $id = self::idOf($refund);
        $own = self::orderOf($refund, 'refund', 'your own number of this refund');
        $fields = ['id' => $id, 'note' => self::required($refund, 'note', 'the reason of the refund')];
        if (isset($refund['amount'])) $fields['amount'] = self::amountOf($refund['amount']);
        $headers = ['Idempotency-Key' => hash('sha256', "$id\n$own")];
        $data = $this->call('v2/payment/refund', $fields, $headers)['data'] ?? null;
        if (!is_array($data) || !is_array($data['refunds'] ?? null)) {
            throw $this->strange('an answer without refunds');
        }
        $created = new CreatedRefunds();
        $created->refunds = $data['refunds'];
        $created->refundedAmount = self::amountOf($data['refunded_amount'] ?? null);
        $created->pendingAmount = self::amountOf($data['pending_amount'] ?? null);
        return $created;
    }

    /**
     * Checks the Standard Webhooks signature of a notification, and returns its content.
     * @param string $rawBody as it came: file_get_contents('php://input')
     * @param array $headers $_SERVER, getallheaders(), or names with values or lists of values, in any letter
     *   case
     * @param int|null $now Unix time in seconds; default: the clock
     * @throws SignatureError, InvalidInputError
     */
    public function receive(string $rawBody, array $headers, ?int $now = null): Event
    {
        if ($this->secret === '') {
            self::refuse('Set secret to the webhook secret of the brand, which begins with whsec_.');
        }
        $this->checkSignature($rawBody, self::webhookHeaders($headers), $now ?? time());
        $data = json_decode($rawBody, true);
        if (!is_array($data) || !is_string($data['event'] ?? null)) {
            self::refuse('The notification is signed, but it is not JSON: '
                . '`kashbox brands update BRAND --webhook-format json`.');
        }
        $event = new Event();
        $event->event = $data['event'];
        $event->id = is_string($data['id'] ?? null) ? $data['id'] : '';
        $event->order = self::orderIn($data);
        $event->sessionId = is_string($data['session_id'] ?? null) ? $data['session_id'] : null;
        $event->data = $data;
        return $event;
    }

    /**
     * Taka as text with two decimals: 500 and "500" are "500.00". An integer, decimal text or a float. A
     * value less than 10^-9 taka from two decimals is that amount (121.00000000000001 is "121.00"), as
     * Kashbox itself reads it. Anything between two paisa is refused, because rounding it here would request
     * another sum than the shop books.
     * @param mixed $amount
     * @throws InvalidInputError
     */
    public static function amountOf($amount): string
    {
        if (is_float($amount)) $amount = is_finite($amount) ? sprintf('%.10F', $amount) : '';
        $text = is_int($amount) || is_string($amount) ? trim((string) $amount) : '';
        if (!preg_match('/^(\d{1,9})(?:\.(\d+))?$/D', $text, $part)) {
            self::refuse('Set amount to taka in plain digits, such as "500" or "500.50".');
        }
        $fraction = str_pad($part[2] ?? '', 2, '0');
        $beyond = substr($fraction, 2);
        $paisa = 100 * (int) $part[1] + (int) substr($fraction, 0, 2);
        if (preg_match('/^9{7}/', $beyond)) {
            $paisa += 1;
        } elseif (!preg_match('/^(?:0*|0{7}\d*)$/D', $beyond)) {
            self::refuse('The amount has more than two decimals: round it where you calculate it.');
        }
        return sprintf('%d.%02d', intdiv($paisa, 100), $paisa % 100);
    }

    /** Keys stay out of var_dump. */
    public function __debugInfo(): array
    {
        return ['url' => $this->url];
    }

    private static function paymentOf(array $data, string $id, string $order, string $amount): Payment
    {
        $payment = new Payment();
        $payment->id = $id;
        $payment->order = $order;
        $payment->amount = $amount;
        $payment->state = self::stateOf($data);
        $payment->isPaid = $payment->state === 'completed';
        $paid = $data['paid_amount'] ?? ($payment->isPaid ? $amount : null);
        if ($paid !== null) $payment->paidAmount = self::amountOf($paid);
        if (isset($data['due_amount'])) $payment->dueAmount = self::amountOf($data['due_amount']);
        $payment->refundedAmount = self::amountOf($data['refunded_amount'] ?? 0);
        $payment->paymentMethod = is_string($data['payment_method'] ?? null) ? $data['payment_method'] : null;
        $payment->transactionId = is_string($data['transaction_id'] ?? null) ? $data['transaction_id'] : '';
        $payment->isTest = ($data['test'] ?? false) === true;
        $payment->data = $data;
        return $payment;
    }

    /** An unknown status is pending, never paid. Brands with `--status-as lower` get lower case. */
    private static function stateOf(array $data): string
    {
        $status = is_string($data['status'] ?? null) ? strtoupper($data['status']) : '';
        if ($status === 'COMPLETED') return 'completed';
        if ($status === 'FAILED') return 'failed';
        return ($data['review'] ?? false) === true ? 'review' : 'pending';
    }

    private function compare(array $data, string $order, string $amount): void
    {
        $own = self::orderIn($data);
        if ($own !== $order) {
            throw new PaymentMismatchError($own === null
                ? "This payment names no order, but order $order was expected: do not deliver."
                : "This is the payment of order $own, not of order $order: do not deliver.");
        }
        $requested = is_string($data['amount'] ?? null) ? self::amountOf($data['amount']) : 'no';
        if ($requested !== $amount) {
            throw new PaymentMismatchError(
                "This payment is for $requested taka, but order $order costs $amount: do not deliver."
            );
        }
        if (($data['test'] ?? false) === true && strpos($this->key, 'test_') !== 0) {
            throw new PaymentMismatchError("The payment of order $order was simulated: do not deliver.");
        }
    }

    /** The order in `meta_data`, which is a JSON text for brands with `--metadata-as string`. */
    private static function orderIn(array $data): ?string
    {
        $meta = $data['meta_data'] ?? null;
        if (is_string($meta)) $meta = json_decode($meta, true);
        $order = is_array($meta) ? ($meta['order'] ?? null) : null;
        return is_string($order) || is_int($order) ? (string) $order : null;
    }

    private function checkSignature(string $body, array $headers, int $now): void
    {
        foreach ($headers as $name => $value) {
            if ($value !== null) continue;
            throw new SignatureError('no_header', "The notification has no header $name: answer 401.");
        }
        [$id, $time, $list] = array_values($headers);
        $isWhole = $id !== '' && strpos($id, '.') === false && preg_match('/^\d{1,12}$/D', $time)
            && strlen($list) <= self::MAX_HEADER;
        $given = $isWhole ? preg_grep('/^v1,/', explode(' ', $list)) : [];
        if ($given === [] || count(preg_grep('~^v1,[A-Za-z0-9+/]{43}=$~D', $given)) !== count($given)) {
            throw new SignatureError('malformed', 'The webhook-… headers are not whole: answer 401.');
        }
        $mine = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $this->secret, true));
        $isOurs = false;
        // Two while the secret is rotated.
        foreach ($given as $one) $isOurs = hash_equals($mine, $one) || $isOurs;
        if (!$isOurs) {
            throw new SignatureError('wrong', 'The notification is not signed with this secret, or this is not '
                . 'the raw body: answer 401, and check with `kashbox webhooks verify`.');
        }
        $ageS = $now - (int) $time;
        if (abs($ageS) <= self::TOLERANCE_S) return;
        $when = $ageS > 0 ? "$ageS seconds ago" : -$ageS . ' seconds in the future';
        throw new SignatureError($ageS > 0 ? 'too_old' : 'in_the_future',
            "The notification was signed $when: answer 401, and synchronise the clock of this server.");
    }

    /** @return array the three headers by lower-case name; null if absent */
    private static function webhookHeaders(array $headers): array
    {
        $found = ['webhook-id' => null, 'webhook-timestamp' => null, 'webhook-signature' => null];
        foreach ($headers as $name => $value) {
            // $_SERVER has HTTP_WEBHOOK_ID, WordPress webhook_id.
            $plain = preg_replace('/^http-/', '', strtr(strtolower((string) $name), '_', '-'));
            if (!array_key_exists($plain, $found)) continue;
            $found[$plain] = trim(is_array($value) ? implode(', ', $value) : (string) $value);
        }
        return $found;
    }

    /** @return array the JSON answer of HTTP 200 */
    private function call(string $path, array $fields, array $headers = []): array
    {
        $body = json_encode($fields, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        if ($body === false) self::refuse('Give all texts in UTF-8: ' . json_last_error_msg() . '.');
        $headers += ['BRAND-KEY' => $this->key];
        $headers += ['Content-Type' => 'application/json', 'Accept' => 'application/json'];
        try {
            $got = ($this->transport)('POST', "{$this->url}/api/$path", $headers, $body);
        } catch (\Exception $fault) {
            $said = $this->withoutKey($fault->getMessage());
            throw new ApiConnectionError("Kashbox at {$this->url} cannot be reached: $said");
        }
        $status = (int) ($got['status'] ?? 0);
        if ($status >= 300 && $status < 400) throw $this->strange("a redirect (HTTP $status)");
        $answer = json_decode((string) ($got['body'] ?? ''), true);
        if (!is_array($answer)) throw $this->strange("HTTP $status without JSON");
        if ($status === 200) return $answer;
        $message = is_string($answer['message'] ?? null) ? $answer['message'] : 'no reason given';
        throw new RefusedError($status, $this->withoutKey($message));
    }

    private function withoutKey(string $text): string
    {
        return str_replace($this->key, '…', $text);
    }

    private function strange(string $what): ApiConnectionError
    {
        return new ApiConnectionError("{$this->url} answered $what: check that url is the address of Kashbox "
            . 'itself, and that no login page or proxy is in front of it.');
    }

    private static function refuseUnknown(array $given, array $known): void
    {
        foreach (array_diff(array_keys($given), $known) as $name) {
            self::refuse("\"$name\" is unknown: use one of " . implode(', ', $known) . '.');
        }
    }

    /** Text without the blanks and line breaks that copying adds; empty if absent. */
    private static function trimmed(array $given, string $name): string
    {
        $value = $given[$name] ?? '';
        if (!is_string($value)) self::refuse("Set $name to a text.");
        return preg_replace('/^[\s\x{A0}\x{200B}\x{FEFF}]+|[\s\x{A0}\x{200B}\x{FEFF}]+$/u', '', $value) ?? '';
    }

    private static function required(array $given, string $name, string $what): string
    {
        $value = self::trimmed($given, $name);
        return $value !== '' ? $value : self::refuse("Set $name to $what.");
    }

    private static function idOf(array $given): string
    {
        $id = strtolower(self::trimmed($given, 'id'));
        return preg_match('/^[0-9a-f]{32}$/D', $id)
            ? $id
            : self::refuse('Set id to the id that create returned: 32 characters of 0-9 and a-f.');
    }

    private static function orderOf(array $given, string $name = 'order', string $what = 'your order number'): string
    {
        $order = $given[$name] ?? null;
        $text = is_int($order) || is_string($order) ? (string) $order : '';
        return preg_match('/^[^\p{Cc}]{1,200}$/Du', $text)
            ? $text
            : self::refuse("Set $name to $what: 1 to 200 characters on one line.");
    }

    private static function urlOf(string $url): string
    {
        $plain = rtrim($url, '/');
        $hosts = 'https://[^\s/?#@\\\\]+|http://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?';
        return preg_match("~^(?:$hosts)(?:/[^\\s?#@\\\\]*)?$~iD", $plain)
            ? $plain
            : self::refuse('Set url to the address of Kashbox: https://pay.example.com, with its path '
                . 'if it has one.');
    }

    private static function keyOf(
        #[\SensitiveParameter]
        string $key
    ): string {
        return preg_match('/^(?:bk|test)_[A-Za-z0-9]+$/D', $key)
            ? $key
            : self::refuse('Set key to the whole Brand Key, which begins with bk_ or test_: copy it again.');
    }

    private static function secretOf(
        #[\SensitiveParameter]
        string $secret
    ): string {
        $base64 = '(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?';
        return preg_match("~^whsec_($base64)$~D", $secret, $part)
            ? base64_decode($part[1])
            : self::refuse('Set secret to the whole webhook secret, which begins with whsec_: copy it again.');
    }

    /** @return never */
    private static function refuse(string $message): string
    {
        throw new InvalidInputError($message);
    }
}

/** Sends a request over HTTPS with curl, or with PHP's streams where curl is missing. Follows no redirect. */
final class Transport
{
    private const MAX_ANSWER = 1048576;
    private const NOT_TRUSTED = 'its certificate is not trusted. If Kashbox created it itself, set ca to a copy '
        . 'of its tls/cert.pem, and url to a name in it. Never turn the check off.';
    private const CHECK = '. Check url, and that Kashbox is running.';
    private const TIMEOUT = 'no answer within the timeout. The same call may be repeated.';

    private string $ca;
    private int $timeout;

    /** @param string $ca file of the only certificate to trust; empty for those of the system */
    public function __construct(string $ca, int $timeout)
    {
        if (!function_exists('curl_init') && !(extension_loaded('openssl') && ini_get('allow_url_fopen'))) {
            throw new InvalidInputError('PHP cannot send HTTPS requests: install its extension curl (Debian: '
                . 'php-curl), or the extension openssl with allow_url_fopen = On in php.ini.');
        }
        if ($ca !== '' && !is_readable($ca)) {
            throw new InvalidInputError("Set ca to a certificate that PHP can read: $ca is not.");
        }
        $this->ca = $ca;
        $this->timeout = $timeout;
    }

    /** @return array{status: int, body: string} */
    public function __invoke(string $method, string $url, array $headers, string $body): array
    {
        $lines = [];
        foreach ($headers as $name => $value) $lines[] = "$name: $value";
        return function_exists('curl_init')
            ? $this->withCurl($method, $url, $lines, $body)
            : $this->withStreams($method, $url, $lines, $body);
    }

    private function withCurl(string $method, string $url, array $lines, string $body): array
    {
        $curl = curl_init($url);
        $answer = '';
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_TIMEOUT => $this->timeout,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_WRITEFUNCTION => function ($curl, $part) use (&$answer) {
                $answer .= $part;
                return strlen($answer) <= self::MAX_ANSWER ? strlen($part) : 0;
            },
        ] + ($this->ca === '' ? [] : [CURLOPT_CAINFO => $this->ca]));
        if (curl_exec($curl) === false) {
            switch (curl_errno($curl)) {
                case 23:
                    throw new \RuntimeException('the answer is too long. Check url.');
                case 28:
                    throw new \RuntimeException(self::TIMEOUT);
                case 51:
                case 60:
                    throw new \RuntimeException(self::NOT_TRUSTED);
                default:
                    throw new \RuntimeException(curl_error($curl) . self::CHECK);
            }
        }
        return ['status' => (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), 'body' => $answer];
    }

    private function withStreams(string $method, string $url, array $lines, string $body): array
    {
        // HTTP/1.0, which is PHP's default, has no chunks: PHP reads those without heeding the timeout.
        $http = ['method' => $method, 'header' => $lines, 'content' => $body, 'timeout' => $this->timeout];
        $http += ['follow_location' => 0, 'ignore_errors' => true, 'protocol_version' => 1.0];
        $ssl = $this->ca === '' ? [] : ['cafile' => $this->ca];
        $context = stream_context_create(['http' => $http, 'ssl' => $ssl]);
        $deadline = microtime(true) + $this->timeout;
        $warnings = '';
        set_error_handler(function (int $level, string $text) use (&$warnings) {
            $warnings .= "$text\n";
            return true;
        });
        try {
            $stream = fopen($url, 'r', false, $context);
        } finally {
            restore_error_handler();
        }
        $isLate = microtime(true) >= $deadline;
        if ($stream === false) throw new \RuntimeException(self::reasonIn($warnings, $isLate));
        $answer = '';
        while (!feof($stream) && strlen($answer) <= self::MAX_ANSWER) {
            $part = fread($stream, 65536);
            if (stream_get_meta_data($stream)['timed_out'] || microtime(true) >= $deadline) {
                throw new \RuntimeException(self::TIMEOUT);
            }
            $answer .= (string) $part;
        }
        $status = 0;
        foreach (stream_get_meta_data($stream)['wrapper_data'] ?? [] as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $part)) $status = (int) $part[1];
        }
        return ['status' => $status, 'body' => $answer];
    }

    private static function reasonIn(string $warnings, bool $isLate): string
    {
        if ($isLate || stripos($warnings, 'timed out') !== false) return self::TIMEOUT;
        if (preg_match('/certificate|Peer fingerprint/i', $warnings)) return self::NOT_TRUSTED;
        preg_match('/.*: (.+?)$/m', trim($warnings), $part);
        return ($part[1] ?? 'no connection') . self::CHECK;
    }
}
