<?php
/**
 * Refunds of an order: requests them from Kashbox, which moves no money, and books those that were sent. Each refund
 * of Kashbox is one refund of the order, whether it began in the shop or at Kashbox.
 */

namespace Kashbox\WooCommerce;

use Kashbox\CreatedRefunds;
use Kashbox\Event;
use Kashbox\Kashbox;
use Kashbox\KashboxError;
use Kashbox\RefusedError;

defined('ABSPATH') || exit;

final class Refunds
{
    /** Refunds that the order has, by their id at Kashbox: amount, and state `requested`, `own` or `sent`. */
    public const META = '_kashbox_refunds';

    private Settings $settings;

    public function __construct(Settings $settings)
    {
        $this->settings = $settings;
    }

    /**
     * Requests a refund that the order has just got; WooCommerce removes it again if this throws. If Kashbox takes
     * no refunds of programs, the shop sends the money without it.
     * @param string $amount taka
     * @throws OrderBusy, KashboxError
     */
    public function request(int $orderId, string $amount, string $reason): void
    {
        $taka = Kashbox::amountOf($amount);
        Payments::alone($orderId, function () use ($orderId, $taka, $reason) {
            $order = Payments::load($orderId);
            if ($order === null) throw new KashboxError(__('This order does not exist.', 'kashbox'));
            $list = self::listOf($order);
            $number = Payments::nameOf($order) . '-' . (count($list) + 1);
            $created = $this->create($order, [
                // The same again after an answer that was lost, because then the list has not grown.
                'refund' => $number,
                'amount' => $taka,
                'note' => mb_substr(trim("{$order->get_id()}: $reason"), 0, 200),
            ]);
            $given = $created === null ? [] : $created->refunds;
            foreach ($given as $one) {
                $list[$one['id']] ??= ['amount' => Kashbox::amountOf($one['amount']), 'state' => 'requested'];
            }
            if ($created === null) $list[$number] = ['amount' => $taka, 'state' => 'own'];
            self::keep($order, $list);
            foreach ($given as $one) $order->add_order_note($this->pendingText($one));
            if ($created !== null) return;
            // translators: 1: amount 2: transaction id
            $order->add_order_note(sprintf(__('Kashbox: a refund of %1$s was recorded. No money was moved: send it from your wallet to the number that paid (%2$s), and write its transaction id here.', 'kashbox'), $taka, $order->get_transaction_id()));
        });
    }

    /**
     * Books a refund that was sent, once.
     * @param Event $event `payment.refunded`, whose signature is valid
     * @throws OrderBusy, KashboxError
     */
    public function book(int $orderId, Event $event): void
    {
        $sent = $event->data['refund'] ?? null;
        $id = is_array($sent) && is_string($sent['id'] ?? null) ? $sent['id'] : '';
        if ($id === '') return;
        $taka = Kashbox::amountOf($sent['amount'] ?? null);
        Payments::alone($orderId, function () use ($orderId, $event, $sent, $id, $taka) {
            $order = Payments::load($orderId);
            $record = $order === null ? null : Payments::recordOf($order, (string) $event->sessionId);
            $list = $record === null ? [] : self::listOf($order);
            if ($record === null || ($list[$id]['state'] ?? '') === 'sent') return;
            if (!$this->isConfirmed($order, $record, $list, $taka)) return;
            $isKnown = isset($list[$id]);
            if (!$isKnown) {
                $own = array_search(['amount' => $taka, 'state' => 'own'], $list, true);
                $isKnown = $own !== false;
                if ($isKnown) $list[$own]['state'] = 'done';
            }
            $list[$id] = ['amount' => $taka, 'state' => 'sent'];
            // Kept first: after a crash in between, a note is missing, and nothing is refunded twice.
            self::keep($order, $list);
            $by = Payments::describe((string) ($sent['payment_method'] ?? ''), (string) ($sent['transaction_id'] ?? ''));
            // translators: 1: taka 2: wallet and transaction id
            $text = sprintf(__('Kashbox: %1$s taka were sent back by %2$s.', 'kashbox'), $taka, $by);
            $fault = $isKnown ? '' : self::bookAtShop($order, $taka, $text);
            $order->add_order_note($text . $fault);
        });
    }

    /** Whether Kashbox itself says that so much was sent back. */
    private function isConfirmed(\WC_Order $order, array $record, array $list, string $taka): bool
    {
        $payment = $this->settings->client($record['test'])->verify([
            'id' => $record['reference'],
            'order' => Payments::nameOf($order),
            'amount' => $record['amount'],
        ]);
        $sum = self::paisaOf($taka);
        foreach ($list as $one) if ($one['state'] === 'sent') $sum += self::paisaOf($one['amount']);
        if ($sum <= self::paisaOf($payment->refundedAmount)) return true;
        Payments::log('error', "Order {$order->get_id()}: a refund of $taka taka is not among the refunds of its payment.");
        return false;
    }

    /** @return string what the note says in addition */
    private static function bookAtShop(\WC_Order $order, string $taka, string $reason): string
    {
        $made = wc_create_refund([
            'order_id' => $order->get_id(),
            'amount' => $taka,
            'reason' => $reason,
            'refund_payment' => false,
            'restock_items' => false,
        ]);
        if (!is_wp_error($made)) return '';
        // translators: %s: reason of WooCommerce
        return ' ' . sprintf(__('WooCommerce did not record this refund: %s', 'kashbox'), $made->get_error_message());
    }

    /** @return CreatedRefunds|null null if no payment of Kashbox has paid the order, or if the API may not refund */
    private function create(\WC_Order $order, array $refund): ?CreatedRefunds
    {
        $record = Payments::paidOf($order);
        if ($record === null) return null;
        try {
            return $this->settings->client($record['test'])->refund(['id' => $record['reference']] + $refund);
        } catch (RefusedError $refusal) {
            if ($refusal->status !== 403) throw $refusal;
            Payments::log('notice', "Order {$order->get_id()}: $refusal->reason.");
            return null;
        }
    }

    private function pendingText(array $refund): string
    {
        $taka = Kashbox::amountOf($refund['amount']);
        $shown = Payments::describe((string) $refund['payment_method'], (string) $refund['transaction_id']);
        if (!is_string($refund['pay_to'] ?? null)) {
            // translators: 1: taka 2: wallet and transaction id 3: command
            return sprintf(__('Kashbox: a refund of %1$s taka is requested (%2$s). The number that paid is not known in full: complete it with “%3$s”.', 'kashbox'), $taka, $shown, "kashbox refunds update {$refund['id']} --number NUMBER");
        }
        // translators: 1: taka 2: number 3: wallet and transaction id
        return sprintf(__('Kashbox: a refund of %1$s taka is requested. No money was moved yet: send it to %2$s, the number that paid (%3$s). A note follows when it was sent.', 'kashbox'), $taka, $refund['pay_to'], $shown);
    }

    private static function paisaOf(string $taka): int
    {
        return (int) str_replace('.', '', $taka);
    }

    private static function listOf(\WC_Order $order): array
    {
        $list = $order->get_meta(self::META);
        return is_array($list) ? $list : [];
    }

    private static function keep(\WC_Order $order, array $list): void
    {
        $order->update_meta_data(self::META, $list);
        $order->save();
    }
}
