<?php
/**
 * The names of WordPress and WooCommerce that the plugin uses, as far as its tests need them. Options and orders are
 * files of KASHBOX_TEST_FOLDER, so that several PHP processes share them as they share a database.
 */

define('ABSPATH', __DIR__ . '/');
define('DAY_IN_SECONDS', 86400);
define('MINUTE_IN_SECONDS', 60);

final class Stub
{
    public static array $hooks = [];
    public static array $notices = [];

    public static function path(string $name): string
    {
        return getenv('KASHBOX_TEST_FOLDER') . '/' . rawurlencode($name);
    }

    public static function read(string $name)
    {
        return is_file(self::path($name)) ? json_decode(file_get_contents(self::path($name)), true) : null;
    }

    public static function write(string $name, $value): void
    {
        $draft = self::path($name) . '.' . getmypid();
        file_put_contents($draft, json_encode($value));
        rename($draft, self::path($name));
    }

    /** Reads, changes and writes while no other process does. */
    public static function change(string $name, callable $work)
    {
        $handle = fopen(self::path("$name.lock"), 'c');
        flock($handle, LOCK_EX);
        [$value, $answer] = $work(self::read($name) ?? []);
        self::write($name, $value);
        return $answer;
    }
}

function add_filter($hook, $work, $priority = 10, $count = 1) { Stub::$hooks[$hook][] = [$work, $count]; }
function add_action($hook, $work, $priority = 10, $count = 1) { add_filter($hook, $work, $priority, $count); }
function apply_filters($hook, $value, ...$more)
{
    foreach (Stub::$hooks[$hook] ?? [] as [$work, $count]) {
        $value = $work(...array_slice([$value, ...$more], 0, $count));
    }
    return $value;
}
function do_action($hook, ...$given)
{
    foreach (Stub::$hooks[$hook] ?? [] as [$work, $count]) $work(...array_slice($given, 0, $count));
}
function get_option($name, $default = false)
{
    return Stub::read("option $name") ?? $default;
}
function update_option($name, $value) { Stub::write("option $name", $value); return true; }
function plugin_basename($file) { return basename(dirname($file)) . '/' . basename($file); }
function plugins_url($path, $file) { return home_url("/wp-content/plugins/kashbox/$path"); }
function load_plugin_textdomain(...$given) {}
function home_url($path = '') { return getenv('KASHBOX_TEST_SITE') . $path; }
function admin_url($path) { return home_url("/wp-admin/$path"); }
function add_query_arg(...$given)
{
    [$query, $url] = is_array($given[0]) ? $given : [[$given[0] => $given[1]], $given[2]];
    return $url . (strpos($url, '?') === false ? '?' : '&') . http_build_query($query);
}
function wp_parse_url($url, $part) { return parse_url($url, $part); }
function get_locale() { return apply_filters('locale', 'en_US'); }
function determine_locale() { return get_locale(); }
function __($text, $domain)
{
    static $all = null;
    $file = getenv('KASHBOX_TEST_PLUGIN') . '/languages/kashbox-' . get_locale() . '.l10n.php';
    $all ??= is_file($file) ? (require $file)['messages'] : [];
    return $all[$text] ?? $text;
}
function esc_html($text) { return htmlspecialchars((string) $text, ENT_QUOTES); }
function esc_attr($text) { return esc_html($text); }
function esc_url($text) { return esc_html($text); }
function esc_html__($text, $domain) { return esc_html(__($text, $domain)); }
function wp_unslash($value) { return $value; }
function wc_clean($value) { return trim(strip_tags($value)); }
function absint($value) { return abs((int) $value); }
function wp_strip_all_tags($text) { return strip_tags($text); }
/** As in WordPress, which has it where PHP lacks the extension mbstring. */
function mb_substr($text, $start, $length) { return preg_match("/^.{0,$length}/us", $text, $part) ? $part[0] : ''; }
function wp_create_nonce($action) { return 'nonce'; }
function wp_enqueue_script(...$given) {}
function wp_generate_password($length, $special) { return substr(bin2hex(random_bytes($length)), 0, $length); }
function current_user_can($what) { return false; }
function wp_http_supports($what) { return true; }
function status_header($status) { http_response_code($status); }
function wp_safe_redirect($url) { header("Location: $url", true, 302); return true; }
function clean_post_cache($id) {}
function get_transient($name) { return false; }
function set_transient($name, $value, $seconds) {}
function wc_add_notice($text, $kind) { Stub::$notices[] = ['notice' => $text]; }
function wc_get_notices($kind) { return Stub::$notices; }
function wc_clear_notices() { Stub::$notices = []; }
function wc_price($amount, $options) { return '<span>' . $amount . '&nbsp;' . $options['currency'] . '</span>'; }
function get_woocommerce_currency() { return get_option('woocommerce_currency', 'BDT'); }
function wc_get_logger()
{
    return new class {
        public function log($level, $message, $context)
        {
            file_put_contents(Stub::path('log'), "$level {$context['source']} $message\n", FILE_APPEND | LOCK_EX);
        }
    };
}

final class WP_Error
{
    private string $message;
    public function __construct($code, $message) { $this->message = $message; }
    public function get_error_message() { return $this->message; }
}
function is_wp_error($value) { return $value instanceof WP_Error; }
function wp_remote_request($url, $given)
{
    $args = apply_filters('http_request_args', $given);
    $lines = [];
    foreach ($args['headers'] ?? [] as $name => $value) $lines[] = "$name: $value";
    $http = ['method' => $args['method'], 'header' => $lines, 'content' => $args['body'], 'ignore_errors' => true];
    $http += ['timeout' => $args['timeout'], 'follow_location' => 0];
    $context = stream_context_create(['http' => $http, 'ssl' => ['cafile' => $args['sslcertificates']]]);
    $warnings = '';
    set_error_handler(function ($level, $text) use (&$warnings) { $warnings .= $text; return true; });
    $body = file_get_contents($url, false, $context);
    restore_error_handler();
    if ($body === false) return new WP_Error('http_request_failed', $warnings);
    preg_match('~^HTTP/\S+ (\d+)~', $http_response_header[0], $part);
    return ['status' => (int) $part[1], 'body' => $body];
}
function wp_remote_post($url, $args) { return wp_remote_request($url, ['method' => 'POST'] + $args); }
function wp_remote_retrieve_response_code($answer) { return $answer['status']; }
function wp_remote_retrieve_body($answer) { return $answer['body']; }

/** The table of options, for the two statements of the lock. */
final class StubDatabase
{
    public string $options = 'wp_options';

    public function prepare($sql, ...$values) { return [$sql, $values]; }
    public function query($prepared)
    {
        [$sql, [$name, $value]] = $prepared;
        return Stub::change('locks', function (array $locks) use ($sql, $name, $value) {
            if (strpos($sql, 'INSERT IGNORE') === 0) return [$locks + [$name => $value], (int) !isset($locks[$name])];
            $count = (int) (($locks[$name] ?? null) === $value);
            if ($count === 1) unset($locks[$name]);
            return [$locks, $count];
        });
    }
    public function get_var($prepared) { return (Stub::read('locks') ?? [])[$prepared[1][0]] ?? null; }
}
$wpdb = new StubDatabase();

final class StubAction
{
    public array $data;
    public function __construct(array $data) { $this->data = $data; }
    public function get_args() { return $this->data['args']; }
    public function get_schedule() { return $this; }
    public function get_date() { return new DateTime('@' . $this->data['at']); }
}
function as_schedule_single_action($at, $hook, $args, $group)
{
    return Stub::change('actions', fn ($all) => [[...$all, ['at' => $at, 'args' => $args]], 1]);
}
function as_get_scheduled_actions($query) { return array_map(fn ($one) => new StubAction($one), Stub::read('actions') ?? []); }
function as_unschedule_all_actions($hook) { Stub::write('actions', []); }

class WC_Settings_API
{
    public $id, $method_title, $method_description, $supports, $title, $description;
    public array $form_fields = [];
    public array $settings = [];
    private array $post = [];

    public function init_settings() { $this->settings = get_option("woocommerce_{$this->id}_settings", []); }
    public function get_option($key) { return $this->settings[$key] ?? $this->form_fields[$key]['default'] ?? ''; }
    public function update_option($key, $value)
    {
        $this->settings[$key] = $value;
        return update_option("woocommerce_{$this->id}_settings", $this->settings);
    }
    public function get_field_key($key) { return "woocommerce_{$this->id}_$key"; }
    public function set_post_data($data) { $this->post = $data; }
    public function process_admin_options()
    {
        foreach ($this->form_fields as $key => $field) {
            $value = $this->post[$this->get_field_key($key)] ?? null;
            $own = ["validate_{$key}_field", "validate_{$field['type']}_field"];
            $found = array_values(array_filter($own, fn ($name) => method_exists($this, $name)));
            if ($found !== []) $this->settings[$key] = $this->{$found[0]}($key, $value);
            elseif ($field['type'] === 'checkbox') $this->settings[$key] = $value === null ? 'no' : 'yes';
            else $this->settings[$key] = trim((string) $value);
        }
        return update_option("woocommerce_{$this->id}_settings", $this->settings);
    }
    public function admin_options()
    {
        foreach ($this->form_fields as $key => $field) {
            $own = "generate_{$field['type']}_html";
            $value = esc_attr($this->get_option($key));
            echo method_exists($this, $own) ? $this->$own($key, $field) : "<input name=\"$key\" value=\"$value\">\n";
        }
    }
}
class WC_Payment_Gateway extends WC_Settings_API
{
    public function is_available() { return $this->get_option('enabled') === 'yes'; }
    public function get_title() { return $this->title; }
    public function get_description() { return $this->description; }
}
final class WC_Admin_Settings
{
    private static array $errors = [];
    public static function add_error($text) { self::$errors[] = $text; }
}

class WC_Order
{
    private array $data;
    /** As WooCommerce does, one process reads the fields of an order once. */
    private static array $meta = [];

    public function __construct(array $data)
    {
        $this->data = ['meta' => self::$meta[$data['id']] ??= $data['meta']] + $data;
    }
    public function read_meta_data($isForced)
    {
        $this->data['meta'] = self::$meta[$this->data['id']] = Stub::read("order {$this->data['id']}")['meta'];
    }
    public function save()
    {
        self::$meta[$this->data['id']] = $this->data['meta'];
        Stub::write("order {$this->data['id']}", $this->data);
        return $this->data['id'];
    }
    public function get_id() { return $this->data['id']; }
    public function get_order_key() { return $this->data['key']; }
    public function get_status() { return $this->data['status']; }
    public function has_status($status) { return in_array($this->data['status'], (array) $status, true); }
    public function needs_payment() { return $this->has_status(['pending', 'failed']); }
    public function get_total() { return $this->data['total']; }
    public function set_total($total) { $this->data['total'] = $total; }
    public function get_currency() { return $this->data['currency']; }
    public function set_currency($currency) { $this->data['currency'] = $currency; }
    public function get_payment_method() { return $this->data['method']; }
    public function set_payment_method($method) { $this->data['method'] = $method; }
    public function set_billing_first_name($name) { $this->data['name'] = $name; }
    public function set_billing_email($email) { $this->data['email'] = $email; }
    public function get_formatted_billing_full_name() { return $this->data['name'] . ' '; }
    public function get_billing_email() { return $this->data['email']; }
    public function get_prices_include_tax() { return false; }
    public function set_basket($basket) { $this->data['basket'] = $basket; }
    public function get_items($kind = 'line_item')
    {
        return array_map(fn ($line) => new StubItem($line), $this->data['basket'][$kind] ?? []);
    }
    public function get_line_subtotal($item, $hasTax, $isRounded) { return (float) $item->get_total(); }
    public function get_total_discount($isWithoutTax) { return (float) ($this->data['basket']['discount'] ?? 0); }
    public function get_shipping_total() { return $this->data['basket']['shipping'] ?? '0'; }
    public function get_shipping_tax() { return '0'; }
    public function get_total_tax() { return '0'; }
    public function get_transaction_id() { return $this->data['transaction']; }
    public function get_date_paid() { return $this->data['paid'] === 0 ? null : new DateTime('@' . $this->data['paid']); }
    public function get_meta($name) { return $this->data['meta'][$name] ?? ''; }
    public function update_meta_data($name, $value) { $this->data['meta'][$name] = $value; }
    public function get_data_store() { return $this; }
    public function get_refunds() { return array_map(fn ($one) => new WC_Order_Refund($one), refunds_of($this->data['id'])); }
    public function get_stock_reduced($id) { return $this->data['stock']; }
    public function set_stock_reduced(bool $isReduced) { $this->data['stock'] = $isReduced; }
    public function get_checkout_order_received_url()
    {
        return home_url("/?order-received={$this->data['id']}&key={$this->data['key']}");
    }
    public function get_checkout_payment_url()
    {
        return home_url("/?order-pay={$this->data['id']}&pay_for_order=true&key={$this->data['key']}");
    }
    public function add_order_note($text)
    {
        Stub::change("notes {$this->data['id']}", fn ($all) => [[...$all, (string) $text], 1]);
    }
    /** Stock as in WooCommerce: taken when the order is on hold or paid, given back when cancelled or pending. */
    public function update_status($status, $note = '')
    {
        $this->data['status'] = $status;
        if (in_array($status, ['processing', 'completed', 'on-hold'], true)) $this->data['stock'] = true;
        if (in_array($status, ['cancelled', 'pending'], true)) $this->data['stock'] = false;
        $this->save();
        $this->add_order_note("$note Status: $status.");
        return true;
    }
    public function payment_complete($transaction = '')
    {
        if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
            $this->data['transaction'] = $transaction;
            $this->data['paid'] = time();
            $this->update_status('processing');
            do_action('woocommerce_payment_complete', $this->data['id'], $transaction);
        }
        return true;
    }
}
final class StubItem
{
    private array $line;
    public function __construct(array $line) { $this->line = $line; }
    public function get_name() { return $this->line['name']; }
    public function get_quantity() { return $this->line['quantity']; }
    public function get_total() { return $this->line['total']; }
    public function get_total_tax() { return '0'; }
}
final class WC_Data_Store
{
    public static function load($name) { return new self(); }
    public function has_callable($name) { return false; }
}
function wc_get_order($id)
{
    $refund = (Stub::read('refunds') ?? [])[$id] ?? null;
    if ($refund !== null) return new WC_Order_Refund($refund);
    $data = Stub::read("order $id");
    return $data === null ? false : new WC_Order($data);
}
function wc_create_order($given)
{
    $id = Stub::change('last id', fn ($last) => [[($last[0] ?? 100) + 1], ($last[0] ?? 100) + 1]);
    $order = new WC_Order($given + ['id' => $id, 'key' => 'wc_order_' . bin2hex(random_bytes(6)), 'paid' => 0,
        'transaction' => '', 'stock' => false, 'meta' => []]);
    $order->save();
    return $order;
}
final class WC_Order_Refund
{
    private array $data;
    public function __construct(array $data) { $this->data = $data; }
    public function get_id() { return $this->data['id']; }
    public function get_amount() { return $this->data['amount']; }
    public function get_parent_id() { return $this->data['order']; }
    public function delete($isForced) { Stub::change('refunds', fn ($all) => [array_diff_key($all, [$this->data['id'] => 1]), 1]); }
}
function refunds_of($id) { return array_filter(Stub::read('refunds') ?? [], fn ($one) => $one['order'] === $id); }
/** As in WooCommerce, a refund is there before the gateway is called, and is removed if that fails. */
function wc_create_refund($given)
{
    $order = wc_get_order($given['order_id']);
    $id = $order->get_id();
    $left = (float) $order->get_total() - array_sum(array_column(refunds_of($id), 'amount'));
    if ((float) $given['amount'] > $left + 0.001) return new WP_Error('error', 'Invalid refund amount.');
    $made = new WC_Order_Refund(Stub::change('refunds', function ($all) use ($id, $given) {
        $number = 5001 + max([0, ...array_map(fn ($one) => $one['id'] - 5000, $all)]);
        $one = ['id' => $number, 'order' => $id, 'amount' => $given['amount']];
        return [[$number => $one] + $all, $one];
    }));
    if ($given['refund_payment']) {
        $gateway = WC()->payment_gateways()->payment_gateways()[$order->get_payment_method()];
        $done = $gateway->process_refund($id, $given['amount'], $given['reason']);
        if (is_wp_error($done)) {
            $made->delete(true);
            return $done;
        }
    }
    if ($left - (float) $given['amount'] < 0.001) wc_get_order($id)->update_status('refunded');
    return $made;
}
function wc_maybe_increase_stock_levels($id)
{
    $order = wc_get_order($id);
    $order->set_stock_reduced(false);
    $order->save();
}
function wc_get_order_notes($query)
{
    return array_map(fn ($text) => (object) ['content' => $text], Stub::read("notes {$query['order_id']}") ?? []);
}
function WC()
{
    return new class {
        public function payment_gateways() { return $this->gateways ??= new StubGateways(); }
        private ?StubGateways $gateways = null;
    };
}
final class StubGateways
{
    public function payment_gateways()
    {
        $all = array_map(fn ($class) => new $class(), apply_filters('woocommerce_payment_gateways', []));
        return array_column($all, null, 'id');
    }
}
