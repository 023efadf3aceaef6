<?php
/**
 * Queries Kashbox where no notification arrives: by a job while something can still change, and when somebody
 * opens the page of an order in the administration.
 */

namespace Kashbox\WooCommerce;

use Kashbox\ApiConnectionError;

defined('ABSPATH') || exit;

final class Polling
{
    /** Set while Kashbox cannot be reached, so that pages of orders do not wait for it each time. */
    private const PAUSE = 'kashbox_pause';
    private const PAUSE_S = 300;

    private Payments $payments;
    private Refunds $refunds;

    public function __construct(Payments $payments, Refunds $refunds)
    {
        $this->payments = $payments;
        $this->refunds = $refunds;
    }

    public function register(): void
    {
        add_action(Payments::POLL, [$this, 'run'], 10, 3);
        // Before WooCommerce loads the order, whose status the page would else show, and save, as it was.
        add_action('admin_init', function () {
            $orderId = self::openedOrder();
            if ($orderId !== 0) $this->openOrder($orderId);
        });
    }

    /** The job: queries once, and plans the next time, until nothing can change any longer. */
    public function run(int $orderId, string $reference, int $try): void
    {
        $order = Payments::load($orderId);
        if ($order === null) return;
        $this->query($orderId, $reference, Refunds::isWaiting($order));
        $order = Payments::load($orderId);
        $record = $order === null ? null : Payments::recordOf($order, $reference);
        if ($record === null) return;
        if (Payments::isUndecided($record) || Refunds::isWaiting($order)) {
            Payments::plan($orderId, $reference, $try + 1);
        }
    }

    /** Somebody opens the page of an order: also refunds that began at Kashbox are looked up. */
    public function openOrder(int $orderId): void
    {
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order || get_transient(self::PAUSE)) return;
        $paid = Payments::paidOf($order);
        $record = $paid ?? Payments::recordOf($order, '');
        if ($record === null || ($paid === null && !Payments::isUndecided($record))) return;
        $this->query($orderId, $record['reference'], $paid !== null);
    }

    private function query(int $orderId, string $reference, bool $hasRefunds): void
    {
        try {
            $this->payments->settle($orderId, $reference);
            if ($hasRefunds) $this->refunds->update($orderId, $reference);
        } catch (\Exception $fault) {
            Payments::log('warning', "Order $orderId: " . $fault->getMessage());
            if ($fault instanceof ApiConnectionError) set_transient(self::PAUSE, 'yes', self::PAUSE_S);
        }
    }

    /** @return int the order whose page this request opens, in either kind of order storage; else 0 */
    private static function openedOrder(): int
    {
        if (($_GET['action'] ?? '') !== 'edit' || !current_user_can('edit_shop_orders')) return 0;
        $file = $GLOBALS['pagenow'] ?? '';
        if ($file === 'post.php') return absint($_GET['post'] ?? 0);
        return $file === 'admin.php' && ($_GET['page'] ?? '') === 'wc-orders' ? absint($_GET['id'] ?? 0) : 0;
    }
}
