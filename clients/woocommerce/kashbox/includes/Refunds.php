<?php
/**
 * Refunds of an order: requests them from Kashbox, which moves no money, and records what became of them. Each
 * refund that was sent is one refund of the order, whether it began in the shop or at Kashbox.
 */

namespace Kashbox\WooCommerce;

use Kashbox\CreatedRefunds;
use Kashbox\Kashbox;
use Kashbox\KashboxError;
use Kashbox\RefusedError;

defined('ABSPATH') || exit;

final class Refunds
{
    /**
     * Refunds of the order by their id at Kashbox: `amount` in taka; `state`, which is `requested`, `sent` or
     * `cancelled`; `refund`, the id of the refund of WooCommerce, 0 without one; `at`, when it was requested.
     */
    public const META = '_kashbox_refunds';
    /** After that, the job queries a refund no more that nobody has sent. */
    private const POLL_DAYS = 33;

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
            $record = Payments::paidOf($order);
            $created = $record === null ? null : $this->create($order, $record, $taka, $reason);
            if ($created === null) {
                // translators: 1: amount 2: transaction id
                $order->add_order_note(sprintf(__('Kashbox: a refund of %1$s was recorded. No money was moved: send it from your wallet to the number that paid (%2$s), and write its transaction id here.', 'kashbox'), $taka, $order->get_transaction_id()));
                return;
            }
            $wasWaiting = self::isWaiting($order);
            $list = self::listOf($order);
            $refund = self::freeRefund($order, $list, $taka);
            $texts = [];
            foreach ($created->refunds as $one) {
                if (isset($list[$one['id']])) continue;
                // One of a test brand is completed at once.
                $isSent = $one['status'] === 'COMPLETED';
                $list[$one['id']] = [
                    'amount' => Kashbox::amountOf($one['amount']),
                    'state' => $isSent ? 'sent' : 'requested',
                    'refund' => $refund,
                    'at' => time(),
                ];
                $texts[] = $isSent ? self::sentText($one, $record) : self::pendingText($one);
            }
            self::keep($order, $list);
            foreach ($texts as $text) $order->add_order_note($text);
            if (!$wasWaiting && self::isWaiting($order)) Payments::plan($orderId, $record['reference'], 1);
        });
    }

    /**
     * Queries the refunds of a payment, and records each that was sent or cancelled, once.
     * @throws OrderBusy, KashboxError
     */
    public function update(int $orderId, string $reference): void
    {
        Payments::alone($orderId, function () use ($orderId, $reference) {
            $order = Payments::load($orderId);
            $record = $order === null ? null : Payments::recordOf($order, $reference);
            if ($record === null) return;
            $payment = $this->settings->client($record['test'])->verify([
                'id' => $record['reference'],
                'order' => Payments::nameOf($order),
                'amount' => $record['amount'],
            ]);
            foreach ($payment->data['refunds'] ?? [] as $one) {
                $state = self::listOf($order)[$one['id']]['state'] ?? '';
                if ($one['status'] === 'COMPLETED' && $state !== 'sent') self::book($order, $record, $one);
                if ($one['status'] === 'CANCELLED' && $state === 'requested') self::cancel($order, $one);
                $order = Payments::load($orderId);
            }
        });
    }

    /** Whether a refund that the shop has requested may still be sent or cancelled, so that the job queries it. */
    public static function isWaiting(\WC_Order $order): bool
    {
        foreach (self::listOf($order) as $one) {
            if ($one['state'] === 'requested' && time() - $one['at'] < self::POLL_DAYS * DAY_IN_SECONDS) return true;
        }
        return false;
    }

    /** The shopkeeper has deleted a refund of WooCommerce: says if Kashbox still waits for its transfer. */
    public static function noteDeleted($refundId, $orderId): void
    {
        $order = Payments::load((int) $orderId);
        foreach ($order === null ? [] : self::listOf($order) as $id => $one) {
            if ($one['refund'] !== (int) $refundId || $one['state'] !== 'requested') continue;
            // translators: 1: taka 2: command
            $order->add_order_note(sprintf(__('Kashbox: the refund of %1$s taka was deleted in this order, but Kashbox still waits for it. If this money does not go back, cancel it there with “%2$s”.', 'kashbox'), $one['amount'], "kashbox refunds cancel $id --note WHY"));
        }
    }

    private static function book(\WC_Order $order, array $record, array $sent): void
    {
        $taka = Kashbox::amountOf($sent['amount']);
        $list = self::listOf($order);
        $refund = $list[$sent['id']]['refund'] ?? 0;
        // Deleted since, or made without Kashbox: then it is of the same sum.
        if (!wc_get_order($refund) instanceof \WC_Order_Refund) $refund = self::freeRefund($order, $list, $taka);
        $list[$sent['id']] = ['amount' => $taka, 'state' => 'sent', 'refund' => $refund, 'at' => time()];
        // Kept first: after a crash in between, a note is missing, and nothing is refunded twice.
        self::keep($order, $list);
        $text = self::sentText($sent, $record);
        if ($refund === 0) $text .= self::bookAtShop($order, $record, $list, $sent['id']);
        $order->add_order_note($text);
    }

    /** @return string what the note says in addition */
    private static function bookAtShop(\WC_Order $order, array $record, array $list, string $id): string
    {
        if (!in_array($record['state'], ['paid', 'disputed'], true)) {
            return ' ' . __('This money never counted for the order, so WooCommerce has no refund of it.', 'kashbox');
        }
        $made = wc_create_refund([
            'order_id' => $order->get_id(),
            'amount' => $list[$id]['amount'],
            'reason' => 'Kashbox',
            'refund_payment' => false,
            'restock_items' => false,
        ]);
        if ($made instanceof \WC_Order_Refund) {
            $list[$id]['refund'] = $made->get_id();
            self::keep(Payments::load($order->get_id()), $list);
            return '';
        }
        // translators: %s: reason of WooCommerce
        return ' ' . sprintf(__('WooCommerce did not record this refund: %s', 'kashbox'), $made->get_error_message());
    }

    private static function cancel(\WC_Order $order, array $cancelled): void
    {
        $list = self::listOf($order);
        // If it stays in the order, another refund of that sum may be the same money.
        $list[$cancelled['id']] = ['state' => 'cancelled', 'refund' => 0] + $list[$cancelled['id']];
        self::keep($order, $list);
        // translators: %s: taka
        $order->add_order_note(sprintf(__('Kashbox: the refund of %s taka was cancelled at Kashbox. No money was sent: delete the refund in this order, and check its status and stock.', 'kashbox'), $list[$cancelled['id']]['amount']));
    }

    /** @return CreatedRefunds|null null if the API may not refund */
    private function create(\WC_Order $order, array $record, string $taka, string $reason): ?CreatedRefunds
    {
        $note = mb_substr(trim("{$order->get_id()}: $reason"), 0, 200);
        // The same again after an answer that was lost, because then the list has not grown.
        $number = Payments::nameOf($order) . '-' . (count(self::listOf($order)) + 1);
        $content = substr(hash('sha256', "$taka $note"), 0, 8);
        try {
            return $this->settings->client($record['test'])->refund([
                'id' => $record['reference'],
                'refund' => "$number-$content",
                'amount' => $taka,
                'note' => $note,
            ]);
        } catch (RefusedError $refusal) {
            if ($refusal->status !== 403) throw $refusal;
            Payments::log('notice', "Order {$order->get_id()}: $refusal->reason.");
            return null;
        }
    }

    private static function pendingText(array $refund): string
    {
        $taka = Kashbox::amountOf($refund['amount']);
        $shown = Payments::describe((string) $refund['payment_method'], (string) $refund['transaction_id']);
        if (!is_string($refund['pay_to'] ?? null)) {
            // translators: 1: taka 2: wallet and transaction id 3: command
            return sprintf(__('Kashbox: a refund of %1$s taka is requested (%2$s). No money was moved yet. The number that paid is not known in full: get it from the customer, and complete the refund with “%3$s”.', 'kashbox'), $taka, $shown, "kashbox refunds update {$refund['id']} --number NUMBER");
        }
        // translators: 1: taka 2: number 3: wallet and transaction id
        return sprintf(__('Kashbox: a refund of %1$s taka is requested. No money was moved yet: send exactly this sum, once, to %2$s, the number that paid (%3$s). A note follows when it was sent.', 'kashbox'), $taka, $refund['pay_to'], $shown);
    }

    private static function sentText(array $refund, array $record): string
    {
        $by = Payments::describe((string) $refund['payment_method'], (string) $refund['refund_transaction_id']);
        // translators: 1: taka 2: wallet and transaction id
        $text = sprintf(__('Kashbox: %1$s taka were sent back by %2$s.', 'kashbox'), Kashbox::amountOf($refund['amount']), $by);
        return $record['test'] ? $text . ' ' . __('Test mode: this payment moves no money.', 'kashbox') : $text;
    }

    /** @return int id of the newest refund of WooCommerce of that sum that is none of Kashbox yet; 0 without one */
    private static function freeRefund(\WC_Order $order, array $list, string $taka): int
    {
        $found = 0;
        foreach ($order->get_refunds() as $refund) {
            $isFree = !in_array($refund->get_id(), array_column($list, 'refund'), true);
            $isSame = sprintf('%.2F', $refund->get_amount()) === $taka;
            if ($isFree && $isSame) $found = max($found, $refund->get_id());
        }
        return $found;
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
