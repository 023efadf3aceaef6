<?php
/** Removes settings, locks and planned jobs. Orders keep their notes and payments. */

defined('WP_UNINSTALL_PLUGIN') || exit;

delete_option('woocommerce_kashbox_settings');
global $wpdb;
$wpdb->query("DELETE FROM {$wpdb->options} WHERE option_name LIKE 'kashbox\\_lock\\_%'");
if (function_exists('as_unschedule_all_actions')) as_unschedule_all_actions('kashbox_poll');
