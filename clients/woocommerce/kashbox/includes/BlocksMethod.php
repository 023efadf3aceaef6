<?php
/** Kashbox in the checkout block: what its script is told. */

namespace Kashbox\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

defined('ABSPATH') || exit;

final class BlocksMethod extends AbstractPaymentMethodType
{
    protected $name = 'kashbox';

    public function initialize(): void
    {
        $this->settings = get_option(Settings::OPTION, []);
    }

    public function is_active(): bool
    {
        return $this->gateway()->is_available();
    }

    public function get_payment_method_script_handles(): array
    {
        $needs = ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'];
        wp_register_script('kashbox-blocks', plugins_url('assets/blocks.js', PLUGIN_FILE), $needs, VERSION, true);
        return ['kashbox-blocks'];
    }

    /** No secret: customers can read this. */
    public function get_payment_method_data(): array
    {
        $gateway = $this->gateway();
        return [
            'title' => $gateway->get_title(),
            'description' => $gateway->get_description(),
            'supports' => $gateway->supports,
        ];
    }

    private function gateway(): Gateway
    {
        $all = WC()->payment_gateways()->payment_gateways();
        return $all[$this->name] ?? new Gateway();
    }
}
