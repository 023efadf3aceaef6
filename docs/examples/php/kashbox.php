<?php
// Client of the Kashbox API: create a payment, verify it, check a webhook. PHP 7.4 or newer, no library.

/** @return array the JSON answer; throws if it is a refusal or if there is none */
function call_kashbox(string $path, array $fields, string $key = ''): array
{
    $headers = ['BRAND-KEY: ' . getenv('BRAND_KEY'), 'Content-Type: application/json'];
    $http = ['method' => 'POST', 'content' => json_encode($fields), 'timeout' => 10, 'follow_location' => 0];
    $http['header'] = $key === '' ? $headers : array_merge($headers, ["Idempotency-Key: $key"]);
    $http['ignore_errors'] = true; // the body of a 4xx answer has the reason
    // KASHBOX_CA is only for a self-signed certificate: the daemon's tls/cert.pem.
    $ssl = getenv('KASHBOX_CA') ? ['cafile' => getenv('KASHBOX_CA')] : [];
    $context = stream_context_create(['http' => $http, 'ssl' => $ssl]);
    $body = file_get_contents(getenv('KASHBOX_URL') . "/api/payment/$path", false, $context);
    $answer = json_decode((string) $body, true);
    if (($answer['status'] ?? false) !== true) {
        throw new RuntimeException('Kashbox: ' . ($answer['message'] ?? 'no answer'));
    }
    return $answer;
}

/** @return string address of the payment page; the part after its last slash is the session reference */
function create_payment(array $order): string
{
    $fields = ['amount' => $order['amount'], 'meta_data' => ['order' => $order['id']]];
    $fields['success_url'] = getenv('SHOP_URL') . '/paid?order=' . $order['id'];
    $fields['cancel_url'] = getenv('SHOP_URL') . '/cancelled';
    return call_kashbox('create', $fields, $order['id'])['payment_url'];
}

/** True only if the payment of this order is completed, and of its full amount. */
function is_paid(array $order): bool
{
    $data = call_kashbox('verify', ['transaction_id' => $order['reference']])['data'];
    return $data['status'] === 'COMPLETED'
        && ($data['meta_data']['order'] ?? '') === $order['id']
        && paisa($data['amount']) === paisa($order['amount']);
}

/** Exact: "500.00" is 50000. Never compare money as floating point. */
function paisa(string $taka): int
{
    if (!preg_match('/^(\d{1,9})\.(\d\d)$/D', $taka, $part)) {
        throw new RuntimeException("Not an amount: $taka");
    }
    return 100 * (int) $part[1] + (int) $part[2];
}

/** Checks the Standard Webhooks signature of the raw body. */
function is_signed(array $server, string $body): bool
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $time = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $secret = base64_decode(substr((string) getenv('WEBHOOK_SECRET'), strlen('whsec_')));
    if (!$secret || !preg_match('/^\d{1,12}$/D', $time) || abs(time() - (int) $time) > 300) return false;
    $mine = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $secret, true));
    $theirs = explode(' ', $server['HTTP_WEBHOOK_SIGNATURE'] ?? ''); // two while the secret is rotated
    return in_array(true, array_map(fn ($one) => hash_equals($mine, $one), $theirs), true);
}
