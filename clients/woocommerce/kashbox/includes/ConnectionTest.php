<?php
/**
 * Checks a connection and says in one sentence what is wrong. It creates nothing: it verifies a payment that cannot
 * exist. Kashbox answers 401 to a wrong key, and "not found" to a right one.
 */

namespace Kashbox\WooCommerce;

use Kashbox\ApiConnectionError;
use Kashbox\InvalidInputError;
use Kashbox\KashboxError;
use Kashbox\RefusedError;

defined('ABSPATH') || exit;

final class ConnectionTest
{
    /** No session reference is made of zeros only. */
    private const NO_PAYMENT = '00000000000000000000000000000000';

    /** @return string[] what is wrong, one sentence each; empty if all is well */
    public static function run(Settings $settings, bool $isTest): array
    {
        $faults = [self::shopFault($isTest), self::connectionFault($settings, $isTest), self::webhookFault()];
        return array_values(array_filter($faults));
    }

    /** Why the gateway cannot be offered at all in this shop; empty if it can. */
    public static function shopFault(bool $isTest): string
    {
        if (get_woocommerce_currency() !== 'BDT') {
            // translators: %s: a currency such as USD
            return sprintf(__('The shop’s currency is %s, and Kashbox takes taka only: choose “Bangladeshi taka” under WooCommerce → Settings → General.', 'kashbox'), get_woocommerce_currency());
        }
        if (!wp_http_supports(['ssl'])) {
            return __('PHP cannot send HTTPS requests: ask your host to install its extension “curl” or “openssl”.', 'kashbox');
        }
        $isOnThisMachine = in_array(wp_parse_url(home_url('/'), PHP_URL_HOST), ['localhost', '127.0.0.1', '[::1]'], true);
        if (strpos(home_url('/'), 'https://') !== 0 && !($isTest && $isOnThisMachine)) {
            return __('The shop’s address begins with http://, and Kashbox returns customers to https:// only: get a certificate for the shop, and change the address under Settings → General.', 'kashbox');
        }
        return '';
    }

    private static function connectionFault(Settings $settings, bool $isTest): string
    {
        if (!$settings->isComplete($isTest)) {
            return __('The connection is not complete: paste the connection code, and save.', 'kashbox');
        }
        $host = (string) wp_parse_url($settings->connection($isTest)['url'], PHP_URL_HOST);
        try {
            $given = ['id' => self::NO_PAYMENT, 'order' => 'connection test', 'amount' => '1'];
            $settings->client($isTest)->verify($given);
        } catch (RefusedError $refusal) {
            return self::refusalFault($refusal, $host);
        } catch (ApiConnectionError $fault) {
            return self::networkFault($fault->getMessage(), $host);
        } catch (InvalidInputError $fault) {
            // translators: %s: what is wrong, in English
            return sprintf(__('The connection is not whole (%s) Paste the connection code again.', 'kashbox'), $fault->getMessage());
        } catch (KashboxError $fault) {
            // A payment was found, so the key is right.
        }
        return '';
    }

    private static function refusalFault(RefusedError $refusal, string $host): string
    {
        if ($refusal->status === 404 && strpos($refusal->reason, 'Transaction ID not found') === 0) return '';
        if ($refusal->status === 401) {
            // translators: %s: host name
            return sprintf(__('The Brand Key is not valid at %s: it is mistyped, revoked, or of another installation. Paste the connection code again.', 'kashbox'), $host);
        }
        if ($refusal->status === 404) return self::strangerFault($host);
        // translators: 1: host name 2: HTTP status 3: message in English
        return sprintf(__('%1$s refuses this shop (%2$d): %3$s', 'kashbox'), $host, $refusal->status, $refusal->reason);
    }

    private static function networkFault(string $message, string $host): string
    {
        if (preg_match('/cURL error (?:51|60)\b|certificate|SSL:/i', $message)) {
            // translators: %s: host name
            return sprintf(__('The certificate of %s is not trusted: give Kashbox one of a public authority (kashbox daemon --domain), and check that the address is the one in the certificate.', 'kashbox'), $host);
        }
        if (strpos($message, 'login page or proxy') !== false) return self::strangerFault($host);
        $message = preg_replace('/^Kashbox at \S+ cannot be reached: /', '', $message);
        // translators: 1: host name 2: message in English
        return sprintf(__('%1$s cannot be reached: check the address, that Kashbox is running, and that your host allows outgoing requests. (%2$s)', 'kashbox'), $host, $message);
    }

    private static function strangerFault(string $host): string
    {
        // translators: %s: host name
        return sprintf(__('%s answers, but it is not Kashbox: check the address, and that no login page or proxy is in front of it.', 'kashbox'), $host);
    }

    /** The shop calls its own address for notifications, unsigned: it must refuse that itself. */
    private static function webhookFault(): string
    {
        $url = Endpoints::webhookUrl();
        $answer = wp_remote_post($url, ['body' => '{}', 'timeout' => 5, 'redirection' => 0]);
        if (is_wp_error($answer)) {
            // translators: 1: address 2: message in English
            return sprintf(__('The shop cannot call its own address %1$s, so notifications were not checked: test them with “kashbox webhooks test”. Until they arrive, the shop queries Kashbox every few minutes. (%2$s)', 'kashbox'), $url, $answer->get_error_message());
        }
        if (wp_remote_retrieve_body($answer) === Endpoints::NOT_SIGNED) return '';
        // translators: 1: address 2: HTTP status
        return sprintf(__('Notifications are blocked: %1$s answers %2$d before the plugin does. Exempt this address in the security plugin, firewall or login page. Until then, the shop queries Kashbox every few minutes.', 'kashbox'), $url, wp_remote_retrieve_response_code($answer));
    }
}
