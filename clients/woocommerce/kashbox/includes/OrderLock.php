<?php
/**
 * A lock on an order that holds across PHP processes, whether orders are posts or in tables of their own. The
 * return of the customer, a notification and a job may settle the same order at the same moment.
 */

namespace Kashbox\WooCommerce;

defined('ABSPATH') || exit;

/** Another process has held the lock for too long. The caller may try again. */
final class OrderBusy extends \RuntimeException
{
}

final class OrderLock
{
    public const PREFIX = 'kashbox_lock_';
    /** A process that was killed leaves its lock; after so long it counts as free. */
    private const STALE_S = 120;
    private const WAIT_S = 4;

    /**
     * @param callable $work runs alone for this order
     * @return mixed what `$work` returns
     * @throws OrderBusy, and what `$work` throws
     */
    public static function run(int $orderId, callable $work)
    {
        $name = self::PREFIX . $orderId;
        $token = time() . '.' . wp_generate_password(12, false);
        $deadline = microtime(true) + self::WAIT_S;
        while (!self::take($name, $token)) {
            if (microtime(true) > $deadline) throw new OrderBusy("Order $orderId is being settled by another request.");
            usleep(100000);
        }
        try {
            return $work();
        } finally {
            self::remove($name, $token);
        }
    }

    /**
     * The name of an option is unique in the table, so the database lets one INSERT succeed. (add_option updates a
     * row that exists.)
     */
    private static function take(string $name, string $token): bool
    {
        global $wpdb;
        $sql = "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')";
        if ((int) $wpdb->query($wpdb->prepare($sql, $name, $token)) === 1) return true;
        $held = $wpdb->get_var($wpdb->prepare("SELECT option_value FROM {$wpdb->options} WHERE option_name = %s", $name));
        if (is_string($held) && (int) $held + self::STALE_S < time()) self::remove($name, $held);
        return false;
    }

    /** Removes the lock of that holder only. */
    private static function remove(string $name, string $token): void
    {
        global $wpdb;
        $sql = "DELETE FROM {$wpdb->options} WHERE option_name = %s AND option_value = %s";
        $wpdb->query($wpdb->prepare($sql, $name, $token));
    }
}
