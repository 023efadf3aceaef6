<?php
/** A shop made of stubs, for `php -S`: loads the plugin as WordPress does, and calls what the address names. */

ob_start();
require __DIR__ . '/stubs.php';
require __DIR__ . '/driver.php';
require getenv('KASHBOX_TEST_PLUGIN') . '/kashbox.php';
do_action('before_woocommerce_init');
do_action('plugins_loaded');
do_action('init');
do_action('wp_loaded');
do_action('woocommerce_api_' . ($_GET['wc-api'] ?? ''));
echo 'a page of the shop';
