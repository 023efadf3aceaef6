<?php
/**
 * The two addresses of the shop that Kashbox knows: where it sends notifications, and where customers return. They
 * work with every setting of permalinks. What a payment means is decided elsewhere.
 */

namespace Kashbox\WooCommerce;

use Kashbox\Event;
use Kashbox\InvalidInputError;
use Kashbox\KashboxError;
use Kashbox\SignatureError;

defined('ABSPATH') || exit;

final class Endpoints
{
    private const WEBHOOK = 'kashbox';
    private const RETURN = 'kashbox_return';
    private const MAX_BODY = 65536;
    /** Answer to a request without a valid signature; the connection test looks for it. */
    public const NOT_SIGNED = 'kashbox: the signature is not valid';

    private Payments $payments;
    private Refunds $refunds;

    public function __construct(Payments $payments, Refunds $refunds)
    {
        $this->payments = $payments;
        $this->refunds = $refunds;
    }

    public function register(): void
    {
        add_action('woocommerce_api_' . self::WEBHOOK, [$this, 'receive']);
        add_action('woocommerce_api_' . self::RETURN, [$this, 'welcomeBack']);
    }

    /** Such as `https://shop.example.com/?wc-api=kashbox`. */
    public static function webhookUrl(): string
    {
        return add_query_arg('wc-api', self::WEBHOOK, home_url('/'));
    }

    /** Where the customer returns, paid or not: this address proves nothing. */
    public static function returnUrl(\WC_Order $order): string
    {
        $query = ['wc-api' => self::RETURN, 'order' => $order->get_id(), 'key' => $order->get_order_key()];
        return add_query_arg($query, home_url('/'));
    }

    /** A notification arrives. */
    public function receive(): void
    {
        $body = (string) file_get_contents('php://input', false, null, 0, self::MAX_BODY + 1);
        [$status, $text] = $this->answer($body, $_SERVER);
        status_header($status);
        header('Content-Type: text/plain; charset=utf-8');
        if (ob_get_level() > 0) ob_end_clean();
        echo $text;
        exit;
    }

    /**
     * @param string $body as it came @param array $server `$_SERVER`
     * @return array{0: int, 1: string} status and text of the answer. It is 200 for orders that are not of this shop
     *   too: Kashbox need not repeat those, and nobody learns which orders exist.
     */
    private function answer(string $body, array $server): array
    {
        if (strlen($body) > self::MAX_BODY) return [413, 'kashbox: the body is too large'];
        try {
            $event = $this->eventOf($body, $server);
            if ($event === null) return [401, self::NOT_SIGNED];
            $order = $event->sessionId === null ? null : wc_get_order((int) $event->order);
            if ($order instanceof \WC_Order && Payments::nameOf($order) === $event->order) {
                $this->payments->settle($order->get_id(), $event->sessionId, $event->event);
                $isRefund = $event->event === 'payment.refunded';
                if ($isRefund) $this->refunds->update($order->get_id(), $event->sessionId);
            }
            return [200, 'ok'];
        } catch (InvalidInputError $fault) {
            Payments::log('error', 'Notification: ' . $fault->getMessage());
            return [400, 'kashbox: the notification cannot be read; the log of the shop has the reason'];
        } catch (OrderBusy $fault) {
            return [503, 'kashbox: the order is being settled, please repeat'];
        } catch (\Exception $fault) {
            Payments::log('error', 'Notification: ' . $fault->getMessage());
            return [503, 'kashbox: the shop could not settle it, please repeat'];
        }
    }

    /**
     * The notification, signed by the live brand or the test brand; null if by neither.
     * @throws InvalidInputError if it is signed and cannot be read
     */
    private function eventOf(string $body, array $server): ?Event
    {
        $settings = new Settings();
        $reason = 'no connection is set up';
        foreach ([false, true] as $isTest) {
            if (!$settings->isComplete($isTest)) continue;
            try {
                return $settings->client($isTest)->receive($body, $server);
            } catch (SignatureError $fault) {
                $reason = $fault->reason;
            }
        }
        Payments::log('notice', "A notification was refused: $reason.");
        return null;
    }

    /** The customer returns: queries Kashbox, and shows the page of the order. */
    public function welcomeBack(): void
    {
        $orderId = absint($_GET['order'] ?? 0);
        $key = is_string($_GET['key'] ?? null) ? wc_clean(wp_unslash($_GET['key'])) : '';
        $order = $orderId === 0 ? false : wc_get_order($orderId);
        if (!$order instanceof \WC_Order || !hash_equals($order->get_order_key(), $key)) {
            wp_safe_redirect(home_url('/'));
            exit;
        }
        try {
            $this->payments->settle($orderId);
        } catch (\Exception $fault) {
            // The notification or the job settles it; the page of the order says that the payment is awaited.
            Payments::log('warning', "Order $orderId: " . $fault->getMessage());
        }
        wp_safe_redirect($this->nextPage(wc_get_order($orderId)));
        exit;
    }

    private function nextPage(\WC_Order $order): string
    {
        if (!$order->has_status('failed')) return $order->get_checkout_order_received_url();
        wc_add_notice(__('The payment was cancelled or has expired. You can pay again here.', 'kashbox'), 'error');
        return $order->get_checkout_payment_url();
    }
}
