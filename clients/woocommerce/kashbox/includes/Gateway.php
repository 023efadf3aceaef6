<?php
/** The payment method of WooCommerce: its settings, when it is offered, paying and refunding an order. */

namespace Kashbox\WooCommerce;

use Kashbox\InvalidInputError;
use Kashbox\KashboxError;

defined('ABSPATH') || exit;

final class Gateway extends \WC_Payment_Gateway
{
    private const ID = 'kashbox';
    private const TEST_ACTION = 'kashbox_test_connection';

    /** @var array<string, string> what the pasted code fills, by name of the field */
    private array $fromCode = [];

    public static function register(): void
    {
        add_filter('woocommerce_payment_gateways', function ($gateways) {
            $gateways[] = self::class;
            return $gateways;
        });
        add_action('wp_ajax_' . self::TEST_ACTION, [self::class, 'answerTest']);
        add_action('woocommerce_thankyou_' . self::ID, [self::class, 'showState']);
        add_action('woocommerce_admin_order_totals_after_total', [self::class, 'showRefundRule']);
        add_filter('plugin_action_links_' . plugin_basename(PLUGIN_FILE), function ($links) {
            $link = sprintf('<a href="%s">%s</a>', esc_url(self::settingsUrl()), esc_html__('Settings', 'kashbox'));
            return array_merge([$link], $links);
        });
    }

    public function __construct()
    {
        $this->id = self::ID;
        $this->method_title = __('Kashbox', 'kashbox');
        $this->method_description = __('Customers pay into your own bKash, Nagad, Rocket, Upay or bank account. Your Kashbox checks that the money has arrived.', 'kashbox');
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        if (self::isTestMode()) {
            $this->description .= ' ' . __('TEST MODE: no money is moved.', 'kashbox');
        }
        add_action('woocommerce_update_options_payment_gateways_' . $this->id, [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = [
            'enabled' => ['title' => __('Enable', 'kashbox'), 'type' => 'checkbox', 'default' => 'no',
                'label' => __('Offer Kashbox at checkout', 'kashbox')],
            'code' => ['title' => __('Connection code', 'kashbox'), 'type' => 'code',
                'description' => __('Run “kashbox brands connect” and paste what it prints. It fills the fields below: those of the test brand if its key begins with test_.', 'kashbox')],
            'title' => ['title' => __('Title', 'kashbox'), 'type' => 'text', 'default' => __('bKash, Nagad, Rocket, Upay', 'kashbox')],
            'description' => ['title' => __('Description', 'kashbox'), 'type' => 'textarea',
                'default' => __('Pay with your mobile wallet. You will be taken to the payment page, and come back here.', 'kashbox')],
            'url' => ['title' => __('Address of Kashbox', 'kashbox'), 'type' => 'text', 'placeholder' => 'https://pay.example.com'],
            'key' => ['title' => __('Brand Key', 'kashbox'), 'type' => 'secret', 'begins' => 'bk_'],
            'secret' => ['title' => __('Webhook secret', 'kashbox'), 'type' => 'secret', 'begins' => 'whsec_'],
            'testmode' => ['title' => __('Test mode', 'kashbox'), 'type' => 'checkbox', 'default' => 'no',
                'label' => __('Use the test brand: customers pay with simulated money, and orders are marked', 'kashbox')],
            'test_url' => ['title' => __('Address of Kashbox (test)', 'kashbox'), 'type' => 'text', 'placeholder' => 'https://pay.example.com'],
            'test_key' => ['title' => __('Brand Key (test)', 'kashbox'), 'type' => 'secret', 'begins' => 'test_'],
            'test_secret' => ['title' => __('Webhook secret (test)', 'kashbox'), 'type' => 'secret', 'begins' => 'whsec_'],
        ];
    }

    public function is_available(): bool
    {
        $isTest = self::isTestMode();
        return parent::is_available() && ConnectionTest::shopFault($isTest) === '' && (new Settings())->isComplete($isTest);
    }

    /** WooCommerce leads to the settings in place of enabling it. */
    public function needs_setup(): bool
    {
        return !(new Settings())->isComplete(self::isTestMode());
    }

    /** What keeps the gateway from the checkout; shown in the settings. */
    public function admin_options(): void
    {
        $fault = ConnectionTest::shopFault(self::isTestMode());
        if ($fault !== '') echo '<div class="notice notice-error inline"><p>' . esc_html($fault) . '</p></div>';
        parent::admin_options();
        wp_enqueue_script('kashbox-settings', plugins_url('assets/settings.js', PLUGIN_FILE), [], VERSION, true);
        printf(
            '<p><button type="button" class="button" id="kashbox-test" data-nonce="%s" data-action="%s">%s</button> %s</p>'
                . '<ul id="kashbox-test-result" role="status"></ul><p>%s <code>%s</code></p>',
            esc_attr(wp_create_nonce(self::TEST_ACTION)),
            esc_attr(self::TEST_ACTION),
            esc_html__('Test connection', 'kashbox'),
            esc_html__('Save first. This creates no payment.', 'kashbox'),
            esc_html__('Kashbox sends notifications to', 'kashbox'),
            esc_html(Endpoints::webhookUrl())
        );
    }

    /** The button "Test connection". */
    public static function answerTest(): void
    {
        check_ajax_referer(self::TEST_ACTION);
        if (!current_user_can('manage_woocommerce')) wp_send_json_error(null, 403);
        $faults = ConnectionTest::run(new Settings(), self::isTestMode());
        wp_send_json_success($faults === [] ? [__('The connection works.', 'kashbox')] : $faults);
    }

    /** A code is read once and never kept. */
    public function generate_code_html($key, $data): string
    {
        return $this->passwordRow($key, $data, 'kashbox1.…');
    }

    /** A secret is never printed; the page only says that there is one. */
    public function generate_secret_html($key, $data): string
    {
        $isSet = $this->get_option($key) !== '';
        return $this->passwordRow($key, $data, $isSet ? __('Saved. Leave empty to keep it.', 'kashbox') : $data['begins'] . '…');
    }

    private function passwordRow(string $key, array $data, string $placeholder): string
    {
        $name = $this->get_field_key($key);
        return sprintf(
            '<tr valign="top"><th scope="row" class="titledesc"><label for="%1$s">%2$s</label></th><td class="forminp">'
                . '<input class="input-text regular-input" type="password" name="%1$s" id="%1$s" value="" placeholder="%3$s"'
                . ' autocomplete="new-password"><p class="description">%4$s</p></td></tr>',
            esc_attr($name),
            esc_html($data['title']),
            esc_attr($placeholder),
            esc_html($data['description'] ?? '')
        );
    }

    /** Fills the other fields. @return string always empty */
    public function validate_code_field($key, $value): string
    {
        $code = is_string($value) ? trim(wp_unslash($value)) : '';
        if ($code === '') return '';
        try {
            $connection = Settings::connectionOf($code);
        } catch (InvalidInputError $fault) {
            \WC_Admin_Settings::add_error($fault->getMessage());
            return '';
        }
        $prefix = Settings::prefix(strpos($connection['key'], 'test_') === 0);
        foreach ($connection as $name => $part) $this->fromCode[$prefix . $name] = $part;
        return '';
    }

    /** An empty field keeps what is saved. */
    public function validate_secret_field($key, $value): string
    {
        $given = is_string($value) ? preg_replace('/\s+/', '', wp_unslash($value)) : '';
        $begins = $this->form_fields[$key]['begins'];
        if ($given === '') return $this->get_option($key);
        if (strpos($given, $begins) === 0) return $given;
        // translators: 1: name of the field 2: such as bk_
        \WC_Admin_Settings::add_error(sprintf(__('“%1$s” was not saved: it must begin with %2$s', 'kashbox'), $this->form_fields[$key]['title'], $begins));
        return $this->get_option($key);
    }

    public function process_admin_options(): bool
    {
        $this->fromCode = [];
        $isSaved = parent::process_admin_options();
        if ($this->fromCode === []) return $isSaved;
        foreach ($this->fromCode as $name => $part) $this->update_option($name, $part);
        return true;
    }

    public function process_payment($orderId): array
    {
        try {
            return ['result' => 'success', 'redirect' => $this->payments()->open((int) $orderId)];
        } catch (NotPayableHere $fault) {
            $text = $fault->getMessage();
        } catch (OrderBusy $fault) {
            $text = __('This order is being paid in another window. Please wait a minute, and try again.', 'kashbox');
        } catch (KashboxError $fault) {
            Payments::log('error', "Order $orderId: " . $fault->getMessage());
            $text = __('This way to pay is not available right now. Please try again in a minute, or choose another.', 'kashbox');
            if (current_user_can('manage_woocommerce')) $text .= ' (' . $fault->getMessage() . ')';
        }
        wc_add_notice($text, 'error');
        return ['result' => 'failure'];
    }

    /** Requests a refund. Kashbox moves no money. @return bool|\WP_Error */
    public function process_refund($orderId, $amount = null, $reason = '')
    {
        try {
            (new Refunds(new Settings()))->request((int) $orderId, (string) $amount, (string) $reason);
            return true;
        } catch (OrderBusy $fault) {
            return new \WP_Error('kashbox', __('This order is being changed by another request. Please wait a minute, and try again.', 'kashbox'));
        } catch (KashboxError $fault) {
            Payments::log('error', "Refund of order $orderId: " . $fault->getMessage());
            return new \WP_Error('kashbox', $fault->getMessage());
        }
    }

    /** Below the totals of an order, beside WooCommerce's button "Refund … via Kashbox". */
    public static function showRefundRule($orderId): void
    {
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order || $order->get_payment_method() !== self::ID) return;
        $text = __('Kashbox cannot send money. “Refund via Kashbox” requests it: send the money from your wallet, to the number in the note.', 'kashbox');
        printf('<tr><td class="label" colspan="3"><small>%s</small></td></tr>', esc_html($text));
    }

    /** On the page of a placed order: what an unpaid one waits for. */
    public static function showState($orderId): void
    {
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order) return;
        $part = self::payments()->partOf($order);
        if ($part !== null && $order->has_status(['pending', 'on-hold'])) {
            // translators: 1: taka that came 2: taka that are due
            $text = sprintf(__('We have received %1$s taka. %2$s taka are still due.', 'kashbox'), ...$part);
        } elseif ($order->has_status('on-hold')) {
            $text = __('Your payment is being checked. We will send you an e-mail.', 'kashbox');
        } elseif ($order->has_status('pending')) {
            $text = __('We have not received your payment yet. If you have just paid, reload this page in a minute.', 'kashbox');
        } else {
            return;
        }
        $url = $part !== null || $order->has_status('pending') ? self::payments()->openUrl($order) : '';
        $link = $url === '' ? '' : sprintf(' <a href="%s">%s</a>', esc_url($url), esc_html__('Back to the payment page', 'kashbox'));
        printf('<p class="woocommerce-info">%s%s</p>', esc_html($text), $link);
    }

    private static function isTestMode(): bool
    {
        return (new Settings())->isTestMode();
    }

    private static function payments(): Payments
    {
        return new Payments(new Settings());
    }

    private static function settingsUrl(): string
    {
        return admin_url('admin.php?page=wc-settings&tab=checkout&section=' . self::ID);
    }
}
