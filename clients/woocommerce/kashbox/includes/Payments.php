<?php
/**
 * The payments of an order: opens one, queries its state, and applies that to the order, once. Each order
 * keeps its payments in one meta field. How requests and customers arrive is not known here.
 */

namespace Kashbox\WooCommerce;

use Kashbox\InvalidInputError;
use Kashbox\Kashbox;
use Kashbox\KashboxError;
use Kashbox\Payment;
use Kashbox\PaymentMismatchError;
use Kashbox\RefusedError;

defined('ABSPATH') || exit;

/** The order cannot be paid here; the message is for the customer. */
final class NotPayableHere extends \RuntimeException
{
}

final class Payments
{
    /** Action of the job that queries Kashbox where no notification arrives. */
    public const POLL = 'kashbox_poll';
    public const META = '_kashbox_payments';
    /** Statuses in which the order waits for its money. */
    private const UNPAID = ['pending', 'on-hold', 'failed', 'cancelled'];
    private const POLL_MINUTES = [2, 5, 10, 20, 40, 60, 120, 240, 360];
    /** The longest session has 30 days; the margin is for a late decision. */
    private const POLL_DAYS = 33;
    /** Money that arrives after a payment has expired is decided by an operator, mostly within a day. */
    private const POLL_DAYS_AFTER_FAILURE = 1;
    private const MAX_ATTEMPTS = 5;

    private Settings $settings;

    public function __construct(Settings $settings)
    {
        $this->settings = $settings;
    }

    /**
     * The address to which the customer goes to pay: the page of the open payment, or of a new one after that has
     * failed; of an order that turns out to be paid, its own page.
     * @throws NotPayableHere, OrderBusy, KashboxError
     */
    public function open(int $orderId): string
    {
        return self::alone($orderId, function () use ($orderId) {
            $order = self::load($orderId);
            if ($order === null) throw new NotPayableHere(__('This order does not exist.', 'kashbox'));
            if ($order->get_currency() !== 'BDT') {
                throw new NotPayableHere(__('Kashbox takes orders in taka (BDT) only.', 'kashbox'));
            }
            $last = self::lastOf($order);
            if ($last !== null) {
                $outcome = $this->stateOfLast($order, $last);
                $last = self::lastOf($order);
                // Another payment would cost the full price again.
                if ($last['state'] === 'partial' && !$order->get_date_paid()) return $last['url'];
                if (!$order->needs_payment()) return $order->get_checkout_order_received_url();
                $isSame = $last['amount'] === self::totalOf($order) && $last['test'] === $this->settings->isTestMode();
                if ($outcome === Decision::WAITING && $isSame) return $last['url'];
            }
            return $this->create($order, $last === null ? 1 : $last['attempt'] + 1);
        });
    }

    /**
     * Queries the state of a payment of the order, and applies it.
     * @param string $reference session reference; empty for the last payment
     * @param string $event of the notification; empty without one
     * @return string an outcome of Decision; `unknown` if the order has no such payment
     * @throws OrderBusy, KashboxError
     */
    public function settle(int $orderId, string $reference = '', string $event = ''): string
    {
        return self::alone($orderId, function () use ($orderId, $reference, $event) {
            $order = self::load($orderId);
            $record = $order === null ? null : self::recordOf($order, $reference);
            if ($record === null) return 'unknown';
            $isDone = in_array($record['state'], ['paid', 'refused', 'disputed'], true);
            if ($isDone && $event !== 'payment.disputed') return Decision::REPEATED;
            return $this->apply($order, $record, $event);
        });
    }

    /** Whether the last payment of an order can still be paid, or is under review. */
    public function isOpen(\WC_Order $order): bool
    {
        $last = self::lastOf($order);
        return $last !== null && $last['state'] !== 'failed' && self::isUndecided($last);
    }

    /** Address of the page of an open payment; empty without one. */
    public function openUrl(\WC_Order $order): string
    {
        $last = self::lastOf($order);
        return $last !== null && in_array($last['state'], ['open', 'partial'], true) ? $last['url'] : '';
    }

    /** @return array{0: string, 1: string}|null taka that came and are due, if the order is paid in part */
    public function partOf(\WC_Order $order): ?array
    {
        $last = self::lastOf($order);
        return $last !== null && $last['state'] === 'partial' ? [$last['paid'], $last['due']] : null;
    }

    /** The payment whose money the order has; null without one. */
    public static function paidOf(\WC_Order $order): ?array
    {
        $found = null;
        foreach (self::listOf($order) as $record) {
            // Else one whose money came, but did not complete the order.
            if (in_array($record['state'], ['paid', 'disputed'], true)) return $record;
            if (($record['paid'] ?? '') !== '') $found = $record;
        }
        return $found;
    }

    /**
     * Name of an order at Kashbox. The number alone would be that of another order after the shop was installed
     * again, or if two shops had one brand.
     */
    public static function nameOf(\WC_Order $order): string
    {
        return $order->get_id() . '-' . substr(hash('sha256', $order->get_order_key()), 0, 8);
    }

    /** Writes to the log `kashbox` of WooCommerce. Messages must not contain keys or secrets. */
    public static function log(string $level, string $message): void
    {
        wc_get_logger()->log($level, $message, ['source' => 'kashbox']);
    }

    /** Notes of an order are in the language of the shop, whoever has sent the request. */
    public static function alone(int $orderId, callable $work)
    {
        return OrderLock::run($orderId, function () use ($work) {
            if (determine_locale() === get_locale()) return $work();
            wc_switch_to_site_locale();
            try {
                return $work();
            } finally {
                wc_restore_locale();
            }
        });
    }

    /** Whether the state of a payment can still change, so that the job queries it. */
    public static function isUndecided(array $record): bool
    {
        $now = time();
        if ($record['state'] === 'failed') {
            return $now - $record['closed'] < self::POLL_DAYS_AFTER_FAILURE * DAY_IN_SECONDS;
        }
        $isOpen = in_array($record['state'], ['open', 'partial', 'review'], true);
        return $isOpen && $now - $record['created'] < self::POLL_DAYS * DAY_IN_SECONDS;
    }

    /** @param int $try of the job, which waits longer each time */
    public static function plan(int $orderId, string $reference, int $try): void
    {
        $minutes = self::POLL_MINUTES[min($try, count(self::POLL_MINUTES)) - 1];
        $at = time() + $minutes * MINUTE_IN_SECONDS;
        as_schedule_single_action($at, self::POLL, [$orderId, $reference, $try], 'kashbox');
    }

    /** @return string address of the page of the new payment */
    private function create(\WC_Order $order, int $attempt): string
    {
        $isTest = $this->settings->isTestMode();
        $created = $this->createAt($this->settings->client($isTest), [
            'order' => self::nameOf($order),
            'amount' => self::amountOf($order),
            'successUrl' => Endpoints::returnUrl($order),
            'cancelUrl' => Endpoints::returnUrl($order),
            'webhookUrl' => Endpoints::webhookUrl(),
            'customerName' => mb_substr(trim(preg_replace('/\s+/u', ' ', $order->get_formatted_billing_full_name())), 0, 200),
            'customerEmail' => $order->get_billing_email(),
            'items' => OrderLines::of($order, self::amountOf($order)),
        ], $attempt);
        $record = [
            'reference' => $created->id,
            'url' => $created->url,
            'amount' => self::amountOf($order),
            'test' => $isTest,
            'state' => 'open',
            'attempt' => $attempt,
            'created' => time(),
            'closed' => 0,
        ];
        self::keep($order, $record);
        $order->save();
        if ($isTest) $this->note($order, __('Test mode: this payment moves no money.', 'kashbox'));
        if ($order->has_status('failed')) {
            $order->update_status('pending', __('Kashbox: the customer tries again.', 'kashbox'));
        }
        self::plan($order->get_id(), $created->id, 1);
        return $created->url;
    }

    /**
     * @param array $given of the client's create. Without the address for notifications where Kashbox may not call
     *   it, as on a developer's machine: then the job queries Kashbox.
     */
    private function createAt(Kashbox $client, array $given, int &$attempt): \Kashbox\CreatedPayment
    {
        $last = $attempt + self::MAX_ATTEMPTS;
        while (true) {
            try {
                return $client->create(['attempt' => $attempt] + $given);
            } catch (RefusedError $refusal) {
                $isWebhook = $refusal->status === 422 && strpos($refusal->reason, 'webhook_url') !== false;
                // The answer to the same attempt was lost, and the customer has changed name or address since.
                $isOther = $refusal->status === 409 && $attempt < $last;
                if (!$isOther && !($isWebhook && isset($given['webhookUrl']))) throw $refusal;
                self::log('notice', "Order {$given['order']}: $refusal->reason. Trying in another way.");
                if ($isWebhook) unset($given['webhookUrl']);
                else $attempt += 1;
            }
        }
    }

    /** Queries Kashbox and changes the order, under its lock. @return string an outcome of Decision */
    private function apply(\WC_Order $order, array $record, string $event): string
    {
        try {
            $payment = $this->settings->client($record['test'])->verify([
                'id' => $record['reference'],
                'order' => self::nameOf($order),
                'amount' => $record['amount'],
            ]);
        } catch (PaymentMismatchError $fault) {
            self::log('error', "Order {$order->get_id()}: " . $fault->getMessage());
            self::keep($order, ['state' => 'refused'] + $record);
            $this->hold($order, __('Kashbox: the payment is not the one of this order and amount. Nothing was booked.', 'kashbox'));
            return Decision::OTHER_AMOUNT;
        }
        $outcome = Decision::of($record['state'], $payment, $event, [
            'total' => self::totalOf($order),
            'currency' => $order->get_currency(),
            'paidBy' => $order->get_date_paid() ? (string) $order->get_transaction_id() : '',
            'isPayable' => $order->has_status(self::UNPAID) && !$order->get_date_paid(),
            'isTestMode' => $this->settings->isTestMode(),
            'partPaid' => $record['paid'] ?? '',
        ]);
        if (!in_array($outcome, [Decision::WAITING, Decision::REPEATED], true)) {
            self::log('info', "Order {$order->get_id()}, payment {$record['reference']}: $outcome.");
            $this->change($order, $record, $payment, $outcome);
        }
        return $outcome;
    }

    /** As apply. A payment that this connection does not know counts as failed: the shop was connected elsewhere. */
    private function stateOfLast(\WC_Order $order, array $last): string
    {
        try {
            return $this->apply($order, $last, '');
        } catch (RefusedError $refusal) {
            if ($refusal->status !== 404) throw $refusal;
            return Decision::FAILED;
        }
    }

    private function change(\WC_Order $order, array $record, Payment $payment, string $outcome): void
    {
        $states = [Decision::PAID => 'paid', Decision::REVIEW => 'review', Decision::FAILED => 'failed'];
        $states += [Decision::PARTIAL => 'partial', Decision::DISPUTED => 'disputed'];
        $isLast = self::lastOf($order)['reference'] === $record['reference'];
        $closed = $outcome === Decision::FAILED ? time() : 0;
        $sums = ['paid' => (string) $payment->paidAmount, 'due' => (string) $payment->dueAmount];
        self::keep($order, ['state' => $states[$outcome] ?? 'refused', 'closed' => $closed] + $sums + $record);
        $paid = self::describe((string) $payment->paymentMethod, $payment->transactionId);
        switch ($outcome) {
            case Decision::PAID:
                $this->complete($order, $payment);
                break;
            case Decision::PARTIAL:
                // translators: 1: taka that came 2: taka that are due
                $text = sprintf(__('Kashbox: %1$s taka have come, and %2$s taka are still due. Do not deliver yet.', 'kashbox'), $payment->paidAmount, $payment->dueAmount);
                if ($isLast) $this->hold($order, $text);
                else $this->note($order, $text);
                break;
            case Decision::REVIEW:
                $text = __('Kashbox: the payment is under review. Do not deliver yet: an operator of Kashbox decides.', 'kashbox');
                if ($isLast) $this->hold($order, $text);
                else $this->note($order, $text);
                break;
            case Decision::FAILED:
                $this->fail($order, $isLast, $record['state'] === 'review');
                if ($payment->paidAmount === null) break;
                // translators: %s: taka that came
                $order->add_order_note(sprintf(__('Kashbox: %s taka had come before, and the rest has not. This money is the customer’s: refund it, or agree on something else.', 'kashbox'), $payment->paidAmount));
                break;
            case Decision::DISPUTED:
                // translators: %s: wallet and transaction id
                $text = sprintf(__('Kashbox: %s is disputed: a later message says that the money went back or was another amount. Stop the order if you still can, and look into your wallet.', 'kashbox'), $paid);
                if ($order->has_status('processing')) $order->update_status('on-hold', $text);
                else $this->note($order, $text);
                break;
            case Decision::OTHER_AMOUNT:
                // translators: 1: wallet and transaction id 2: taka received 3: taka that the order costs
                $text = sprintf(__('Kashbox: %1$s brought %2$s taka, but the order costs %3$s. It was not booked: decide by hand.', 'kashbox'), $paid, $payment->paidAmount, self::totalOf($order));
                $this->hold($order, $text);
                break;
            case Decision::NOT_PAYABLE:
                // translators: 1: wallet and transaction id 2: taka received
                $text = sprintf(__('Kashbox: %1$s brought %2$s taka for an order that was already paid or closed. Send the money back, or decide by hand.', 'kashbox'), $paid, $payment->paidAmount);
                $this->note($order, $text);
                break;
            case Decision::TEST_PAYMENT:
                $this->note($order, __('Kashbox: a test payment was made, but the shop is not in test mode. No money was moved, and nothing was booked.', 'kashbox'));
                break;
        }
    }

    private function complete(\WC_Order $order, Payment $payment): void
    {
        // This saves the order's payments, status and transaction id together.
        $isDone = $order->payment_complete($payment->transactionId);
        if (!$isDone && !$order->get_date_paid()) {
            throw new KashboxError('WooCommerce could not complete the order; its own log has the reason.');
        }
        // translators: %s: wallet and transaction id
        $text = sprintf(__('Kashbox: paid by %s.', 'kashbox'), self::describe((string) $payment->paymentMethod, $payment->transactionId));
        if ($payment->isTest) $text .= ' ' . __('THIS IS A TEST: no money was moved. Do not deliver.', 'kashbox');
        $this->note($order, $text);
    }

    /** Failed and not cancelled, because a customer can pay a failed order again. */
    private function fail(\WC_Order $order, bool $isLast, bool $wasReview): void
    {
        $isWaiting = $order->has_status(['pending', 'on-hold']) && !$order->get_date_paid();
        if (!$isLast || !$isWaiting) {
            $order->save();
            return;
        }
        $order->update_status('failed', $wasReview
            ? __('Kashbox: the payment was refused in review.', 'kashbox')
            : __('Kashbox: the payment was cancelled or has expired.', 'kashbox'));
        // WooCommerce takes stock for an order on hold, and gives it back by itself for a cancelled one only.
        wc_maybe_increase_stock_levels($order->get_id());
    }

    /** Puts an unpaid order on hold; of any other it says it in a note. */
    private function hold(\WC_Order $order, string $text): void
    {
        $isUnpaid = $order->has_status(['pending', 'failed', 'cancelled']) && !$order->get_date_paid();
        if ($isUnpaid) $order->update_status('on-hold', $text);
        else $this->note($order, $text);
    }

    private function note(\WC_Order $order, string $text): void
    {
        $order->save();
        $order->add_order_note($text);
    }

    /** Wallet and transaction id, such as `bKash, DKL7CD1EF2`. */
    public static function describe(string $method, string $transactionId): string
    {
        $names = [
            'mfs_a' => __('bKash', 'kashbox'),
            'mfs_b' => __('Nagad', 'kashbox'),
            'mfs_c' => __('Rocket', 'kashbox'),
            'mfs_d' => __('Upay', 'kashbox'),
            'qr_interbank' => __('Bangla QR', 'kashbox'),
            'exchange_pay' => __('Binance Pay', 'kashbox'),
            'bep20' => __('USDT (BEP20)', 'kashbox'),
            'bank' => __('Bank transfer', 'kashbox'),
        ];
        $name = $names[$method] ?? __('Kashbox', 'kashbox');
        // translators: 1: name of the wallet 2: transaction id
        return sprintf(__('%1$s, transaction id %2$s', 'kashbox'), $name, $transactionId);
    }

    /** What the order costs, as "1250.50". @throws InvalidInputError if it has a fraction of a paisa */
    private static function amountOf(\WC_Order $order): string
    {
        return Kashbox::amountOf((string) $order->get_total());
    }

    /** As amountOf; what cannot be an amount of Kashbox is equal to none. */
    private static function totalOf(\WC_Order $order): string
    {
        try {
            return self::amountOf($order);
        } catch (InvalidInputError $fault) {
            return (string) $order->get_total();
        }
    }

    /** The order as the database has it now: another process may have settled it since this one has loaded it. */
    public static function load(int $orderId): ?\WC_Order
    {
        clean_post_cache($orderId);
        $cache = 'Automattic\WooCommerce\Caches\OrderCache';
        if (class_exists($cache)) wc_get_container()->get($cache)->remove($orderId);
        $store = \WC_Data_Store::load('order');
        if ($store->has_callable('clear_cached_data')) $store->clear_cached_data([$orderId]);
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order) return null;
        $order->read_meta_data(true);
        return $order;
    }

    public static function recordOf(\WC_Order $order, string $reference): ?array
    {
        if ($reference === '') return self::lastOf($order);
        return self::listOf($order)[$reference] ?? null;
    }

    private static function lastOf(\WC_Order $order): ?array
    {
        $list = self::listOf($order);
        return $list === [] ? null : end($list);
    }

    /** @return array<string, array> payments of the order by session reference, the last one newest */
    private static function listOf(\WC_Order $order): array
    {
        $list = $order->get_meta(self::META);
        return is_array($list) ? $list : [];
    }

    /** The caller saves the order. */
    private static function keep(\WC_Order $order, array $record): void
    {
        $list = self::listOf($order);
        $list[$record['reference']] = $record;
        $order->update_meta_data(self::META, $list);
    }
}
