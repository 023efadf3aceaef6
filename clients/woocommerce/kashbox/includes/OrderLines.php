<?php
/**
 * The lines of an order for the payment page: products, discount, fees, delivery and tax. They are a service to the
 * customer; the amount of the payment does not depend on them.
 */

namespace Kashbox\WooCommerce;

defined('ABSPATH') || exit;

final class OrderLines
{
    /** Limits of Kashbox. */
    private const MAX_LINES = 50;
    private const MAX_NAME = 120;
    private const MAX_QUANTITY = 9999;

    /**
     * @param string $amount of the payment
     * @return array `items` of the client's create; empty if they do not add up to the amount, as after rounding
     */
    public static function of(\WC_Order $order, string $amount): array
    {
        $hasTax = $order->get_prices_include_tax();
        $lines = [];
        foreach ($order->get_items() as $item) {
            $subtotal = self::paisa($order->get_line_subtotal($item, $hasTax, false));
            $lines[] = self::line($item->get_name(), $subtotal, $item->get_quantity());
        }
        $others = [[__('Discount', 'kashbox'), -$order->get_total_discount(!$hasTax)]];
        foreach ($order->get_items('fee') as $fee) {
            $others[] = [$fee->get_name(), $fee->get_total() + ($hasTax ? $fee->get_total_tax() : 0)];
        }
        $delivery = $order->get_shipping_total() + ($hasTax ? $order->get_shipping_tax() : 0);
        $others[] = [__('Delivery', 'kashbox'), $delivery];
        $others[] = [__('Tax', 'kashbox'), $hasTax ? 0 : $order->get_total_tax()];
        foreach ($others as [$name, $taka]) {
            if (self::paisa($taka) !== 0) $lines[] = self::line($name, self::paisa($taka), 1);
        }
        $isComplete = count($lines) <= self::MAX_LINES && !in_array('', array_column($lines, 'name'), true);
        $sum = array_sum(array_column($lines, 'paisa'));
        if (!$isComplete || $sum !== self::paisa($amount)) return [];
        return array_map(function (array $line): array {
            $price = self::taka(intdiv($line['paisa'], $line['quantity']));
            return ['name' => $line['name'], 'quantity' => $line['quantity'], 'price' => $price];
        }, $lines);
    }

    /** A line whose quantity or price per piece Kashbox does not take is one piece, with the quantity in its name. */
    private static function line(string $name, int $paisa, $quantity): array
    {
        $text = html_entity_decode(wp_strip_all_tags($name), ENT_QUOTES, 'UTF-8');
        $plain = trim((string) preg_replace('/[\s\p{Cc}]+/u', ' ', $text));
        $count = (int) $quantity;
        $isEven = $count == $quantity && $count >= 1 && $count <= self::MAX_QUANTITY && $paisa % $count === 0;
        if (!$isEven && $plain !== '') $plain .= " × $quantity";
        return [
            'name' => mb_substr($plain, 0, self::MAX_NAME),
            'quantity' => $isEven ? $count : 1,
            'paisa' => $paisa,
        ];
    }

    private static function paisa($taka): int
    {
        return (int) round(100 * (float) $taka);
    }

    private static function taka(int $paisa): string
    {
        return sprintf('%s%d.%02d', $paisa < 0 ? '-' : '', intdiv(abs($paisa), 100), abs($paisa) % 100);
    }
}
