<?php
/** The settings that the shop owner has saved, the connection code that fills them, and the client made of them. */

namespace Kashbox\WooCommerce;

use Kashbox\InvalidInputError;
use Kashbox\Kashbox;

defined('ABSPATH') || exit;

final class Settings
{
    public const OPTION = 'woocommerce_kashbox_settings';
    private const CODE_START = 'kashbox1.';
    private const MAX_ANSWER = 65536;

    public function isTestMode(): bool
    {
        return $this->value('testmode') === 'yes';
    }

    /** Whether address, key and secret of the mode are there. */
    public function isComplete(bool $isTest): bool
    {
        return !in_array('', $this->connection($isTest), true);
    }

    /** @return array{url: string, key: string, secret: string} of the live brand or of the test brand */
    public function connection(bool $isTest): array
    {
        $prefix = self::prefix($isTest);
        $parts = [];
        foreach (['url', 'key', 'secret'] as $name) $parts[$name] = $this->value($prefix . $name);
        return $parts;
    }

    /** Names of the settings of the test brand begin with `test_`. */
    public static function prefix(bool $isTest): string
    {
        return $isTest ? 'test_' : '';
    }

    /** @throws InvalidInputError if address, key or secret is missing or malformed */
    public function client(bool $isTest): Kashbox
    {
        return self::clientOf($this->connection($isTest));
    }

    /** @param array{url: string, key: string, secret: string} $connection */
    public static function clientOf(array $connection): Kashbox
    {
        return new Kashbox($connection + ['transport' => [self::class, 'send']]);
    }

    /**
     * Parses what `kashbox brands connect` prints: `kashbox1.` and base64url of {"url","key","secret"}. Blanks and
     * line breaks of a paste are ignored.
     * @return array{url: string, key: string, secret: string}
     * @throws InvalidInputError with the sentence for the shop owner
     */
    public static function connectionOf(string $code): array
    {
        $plain = preg_replace('/[\s\x{A0}\x{200B}-\x{200D}\x{2060}\x{FEFF}]+/u', '', $code) ?? '';
        $isWhole = strpos($plain, self::CODE_START) === 0;
        $base64 = strtr(rtrim(substr($plain, strlen(self::CODE_START)), '='), '-_', '+/');
        $parts = $isWhole ? json_decode((string) base64_decode($base64, true), true) : null;
        $connection = [];
        foreach (['url', 'key', 'secret'] as $name) {
            $value = is_array($parts) ? ($parts[$name] ?? '') : '';
            if (!is_string($value) || $value === '') {
                throw new InvalidInputError(__(
                    'This is not a whole connection code: copy again what “kashbox brands connect” prints, from “kashbox1.” to the end.',
                    'kashbox'
                ));
            }
            $connection[$name] = $value;
        }
        self::clientOf($connection);
        return $connection;
    }

    /**
     * Sends by WordPress, so that its settings for proxies and certificates apply.
     * @return array{status: int, body: string}
     */
    public static function send(string $method, string $url, array $headers, string $body): array
    {
        $answer = wp_remote_request($url, [
            'method' => $method,
            'headers' => $headers,
            'body' => $body,
            'timeout' => 10,
            'redirection' => 0,
            'limit_response_size' => self::MAX_ANSWER,
            'user-agent' => 'kashbox-woocommerce/' . VERSION,
        ]);
        if (is_wp_error($answer)) throw new \RuntimeException($answer->get_error_message());
        return [
            'status' => (int) wp_remote_retrieve_response_code($answer),
            'body' => (string) wp_remote_retrieve_body($answer),
        ];
    }

    /** Read each time: a job may run for minutes while the owner saves. */
    private function value(string $name): string
    {
        $all = get_option(self::OPTION, []);
        $value = is_array($all) ? ($all[$name] ?? '') : '';
        return is_string($value) ? trim($value) : '';
    }
}
