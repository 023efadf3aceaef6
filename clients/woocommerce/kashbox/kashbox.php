<?php
/**
 * Plugin Name: Kashbox for WooCommerce
 * Description: Customers pay into your own bKash, Nagad, Rocket, Upay or bank account through your Kashbox.
 * Version: 0.1.0
 * Requires at least: 6.5
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * WC tested up to: 10.5
 * License: MIT
 * Text Domain: kashbox
 * Domain Path: /languages
 *
 * Connects the plugin's classes to WordPress and WooCommerce. It decides nothing about payments.
 */

namespace Kashbox\WooCommerce;

defined('ABSPATH') || exit;

const PLUGIN_FILE = __FILE__;
const VERSION = '0.1.0';

add_action('before_woocommerce_init', function () {
    $features = 'Automattic\WooCommerce\Utilities\FeaturesUtil';
    if (!class_exists($features)) return;
    foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
        $features::declare_compatibility($feature, PLUGIN_FILE, true);
    }
});

add_action('plugins_loaded', function () {
    if (!class_exists('WC_Payment_Gateway')) return;
    $files = ['Kashbox', 'Settings', 'OrderLock', 'OrderLines', 'Decision', 'Payments', 'Refunds', 'Polling'];
    array_push($files, 'ConnectionTest', 'Gateway', 'Endpoints');
    foreach ($files as $file) require_once __DIR__ . "/includes/$file.php";

    $payments = new Payments(new Settings());
    $refunds = new Refunds(new Settings());
    (new Endpoints($payments, $refunds))->register();
    (new Polling($payments, $refunds))->register();
    Gateway::register();

    add_action('woocommerce_refund_deleted', [Refunds::class, 'noteDeleted'], 10, 2);
    // WooCommerce cancels unpaid orders after an hour: not while the customer can still pay on the page of Kashbox.
    add_filter('woocommerce_cancel_unpaid_order', function ($isCancelled, $order) use ($payments) {
        return $isCancelled && !$payments->isOpen($order);
    }, 10, 2);
    add_action('woocommerce_blocks_payment_method_type_registration', function ($registry) {
        require_once __DIR__ . '/includes/BlocksMethod.php';
        $registry->register(new BlocksMethod());
    });
});

add_action('init', function () {
    load_plugin_textdomain('kashbox', false, dirname(plugin_basename(PLUGIN_FILE)) . '/languages');
});
