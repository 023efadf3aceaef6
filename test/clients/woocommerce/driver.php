<?php
/**
 * Commands of the tests to a shop with the plugin: the stubs of this folder, or a real WordPress in which this file
 * is a must-use plugin. It answers POST /?kashbox_driver=1, which only a shop of the tests may have.
 */

$folder = getenv('KASHBOX_TEST_FOLDER');
$site = getenv('KASHBOX_TEST_SITE');

if (getenv('KASHBOX_TEST_HPOS')) {
    add_filter('pre_option_woocommerce_custom_orders_table_enabled', fn () => getenv('KASHBOX_TEST_HPOS'));
    add_filter('option_active_plugins', fn ($all) => array_unique([...$all, 'kashbox/kashbox.php']));
}
add_filter('locale', fn ($locale) => get_option('kashbox_test_locale') ?: $locale);
// Certificates of Kashbox and of the shop itself, which tests have made.
add_filter('http_request_args', fn ($args) => ['sslcertificates' => getenv('KASHBOX_TEST_CA')] + $args);
add_filter('pre_wp_mail', fn () => true);
add_action('woocommerce_payment_complete', function ($id) use ($folder) {
    file_put_contents("$folder/completed", "$id\n", FILE_APPEND | LOCK_EX);
});

add_action('wp_loaded', function () use ($folder, $site) {
    if (($_GET['kashbox_driver'] ?? '') !== '1') return;
    $given = json_decode((string) file_get_contents('php://input'), true);
    $gateway = WC()->payment_gateways()->payment_gateways()['kashbox'];
    switch ($given['do']) {
        case 'set':
            foreach ($given['options'] as $name => $value) update_option($name, $value);
            $answer = true;
            break;
        case 'save':
            $fields = [];
            foreach ($given['fields'] as $name => $value) $fields["woocommerce_kashbox_$name"] = $value;
            $gateway->set_post_data($fields);
            $gateway->process_admin_options();
            ob_start();
            $gateway->admin_options();
            $html = ob_get_clean();
            $answer = ['settings' => get_option('woocommerce_kashbox_settings'), 'html' => $html];
            $answer['errors'] = (fn () => self::$errors)->bindTo(null, 'WC_Admin_Settings')();
            break;
        case 'test':
            $answer = Kashbox\WooCommerce\ConnectionTest::run(new Kashbox\WooCommerce\Settings(), $given['isTest']);
            break;
        case 'isAvailable':
            $answer = $gateway->is_available();
            break;
        case 'create':
            $answer = kashbox_driver_create($given['total'], $given['currency']);
            break;
        case 'fill':
            $order = wc_get_order($given['id']);
            kashbox_driver_fill($order);
            $order->set_total($given['total']);
            $order->save();
            $answer = true;
            break;
        case 'sell':
            $product = new WC_Product_Simple();
            $product->set_props(['name' => 'Rice', 'regular_price' => $given['price'], 'virtual' => true]);
            $page = ['post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Classic checkout'];
            $classic = wp_insert_post($page + ['post_content' => '[woocommerce_checkout]']);
            $answer = ['cart' => "$site/?add-to-cart=" . $product->save(), 'block' => wc_get_checkout_url()];
            $answer['classic'] = get_permalink($classic);
            break;
        case 'lastOrder':
            $answer = wc_get_orders(['limit' => 1, 'return' => 'ids', 'orderby' => 'ID', 'order' => 'DESC'])[0];
            break;
        case 'pay':
            $answer = $gateway->process_payment($given['id']) + ['notices' => wc_get_notices('error')];
            wc_clear_notices();
            break;
        case 'change':
            $order = wc_get_order($given['id']);
            if (isset($given['total'])) $order->set_total($given['total']);
            $order->save();
            if (isset($given['status'])) $order->update_status($given['status']);
            $answer = true;
            break;
        case 'refund':
            $made = wc_create_refund(['order_id' => $given['id'], 'amount' => $given['amount'], 'reason' => 'a reason',
                'refund_payment' => !($given['isManual'] ?? false)]);
            $answer = is_wp_error($made) ? $made->get_error_message() : $made->get_id();
            break;
        case 'deleteRefund':
            wc_get_order($given['refund'])->delete(true);
            do_action('woocommerce_refund_deleted', $given['refund'], $given['id']);
            $answer = true;
            break;
        case 'logIn':
            $keeper = ['user_login' => 'kashbox_test', 'user_pass' => wp_generate_password(), 'role' => 'shop_manager'];
            wp_set_auth_cookie(get_user_by('login', 'kashbox_test')->ID ?? wp_insert_user($keeper));
            $answer = wc_get_order($given['id'])->get_edit_order_url();
            break;
        case 'stock':
            $answer = current(wc_get_order($given['id'])->get_items())->get_product()->get_stock_quantity();
            break;
        case 'openOrder':
            $settings = new Kashbox\WooCommerce\Settings();
            $parts = [new Kashbox\WooCommerce\Payments($settings), new Kashbox\WooCommerce\Refunds($settings)];
            (new Kashbox\WooCommerce\Polling(...$parts))->openOrder($given['id']);
            $answer = true;
            break;
        case 'isCancelled':
            $answer = apply_filters('woocommerce_cancel_unpaid_order', true, wc_get_order($given['id']));
            break;
        case 'forgetJobs':
            as_unschedule_all_actions('kashbox_poll');
            $answer = true;
            break;
        case 'jobs':
            $answer = kashbox_driver_jobs();
            break;
        case 'page':
            ob_start();
            do_action('woocommerce_thankyou_kashbox', $given['id']);
            do_action('woocommerce_admin_order_totals_after_total', $given['id']);
            $answer = ob_get_clean();
            break;
        case 'order':
            $answer = kashbox_driver_order($given['id'], $folder);
            break;
    }
    header('Content-Type: application/json');
    echo json_encode($answer);
    exit;
});

function kashbox_driver_create(string $total, string $currency): array
{
    $order = wc_create_order(['status' => 'pending']);
    if (class_exists('WC_Product_Simple')) {
        $product = new WC_Product_Simple();
        $product->set_props(['name' => 'Rice', 'regular_price' => $total, 'manage_stock' => true, 'stock_quantity' => 5]);
        $product->save();
        $order->add_product($product, 1);
    }
    $order->set_billing_first_name('Rahima');
    $order->set_billing_email('rahima@example.com');
    $order->set_currency($currency);
    $order->set_payment_method('kashbox');
    $order->set_total($total);
    $order->save();
    return ['id' => $order->get_id(), 'key' => $order->get_order_key()];
}

/** Two products of one kind, less a discount of 30, with a fee and delivery: 1250.50 together. */
function kashbox_driver_fill(WC_Order $order): void
{
    $name = 'Rice & <b>lentils</b>';
    if (!class_exists('WC_Product_Simple')) {
        $order->set_basket([
            'line_item' => [['name' => $name, 'quantity' => 2, 'total' => '1200']],
            'fee' => [['name' => 'Gift wrap', 'quantity' => 1, 'total' => '20']],
            'discount' => '30',
            'shipping' => '60.50',
        ]);
        return;
    }
    $order->remove_order_items();
    $product = new WC_Product_Simple();
    $product->set_props(['name' => $name, 'regular_price' => '600']);
    $product->save();
    $order->add_product($product, 2, ['subtotal' => 1200, 'total' => 1170]);
    $fee = new WC_Order_Item_Fee();
    $fee->set_props(['name' => 'Gift wrap', 'total' => '20']);
    $delivery = new WC_Order_Item_Shipping();
    $delivery->set_props(['method_title' => 'Flat rate', 'total' => '60.50']);
    $order->add_item($fee);
    $order->add_item($delivery);
    $order->calculate_totals(false);
}

/** Runs what is planned, as if its time had come. @return int how many minutes the next ones wait */
function kashbox_driver_jobs(): array
{
    $found = as_get_scheduled_actions(['hook' => 'kashbox_poll', 'status' => 'pending', 'per_page' => -1]);
    as_unschedule_all_actions('kashbox_poll');
    foreach ($found as $action) do_action('kashbox_poll', ...$action->get_args());
    $next = as_get_scheduled_actions(['hook' => 'kashbox_poll', 'status' => 'pending', 'per_page' => -1]);
    $minutes = fn ($action) => (int) round(($action->get_schedule()->get_date()->getTimestamp() - time()) / 60);
    return ['ran' => count($found), 'next' => array_values(array_map($minutes, $next))];
}

function kashbox_driver_order(int $id, string $folder): array
{
    clean_post_cache($id);
    $order = wc_get_order($id);
    $completed = is_file("$folder/completed") ? file("$folder/completed", FILE_IGNORE_NEW_LINES) : [];
    $notes = wc_get_order_notes(['order_id' => $id, 'order_by' => 'date_created', 'order' => 'ASC']);
    return [
        'status' => $order->get_status(),
        'transaction' => $order->get_transaction_id(),
        'isPaid' => $order->get_date_paid() !== null,
        'completed' => count(array_keys($completed, (string) $id, true)),
        'stockTaken' => (bool) $order->get_data_store()->get_stock_reduced($id),
        'notes' => array_values(array_map(fn ($note) => $note->content, $notes)),
        'refunds' => kashbox_driver_refunds($order),
        'payments' => array_values($order->get_meta('_kashbox_payments') ?: []),
    ];
}

/** @return string[] taka of each refund, the first one first */
function kashbox_driver_refunds(WC_Order $order): array
{
    $refunds = [];
    foreach ($order->get_refunds() as $one) $refunds[$one->get_id()] = $one->get_amount();
    ksort($refunds);
    return array_values($refunds);
}
