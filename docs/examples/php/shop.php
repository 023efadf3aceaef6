<?php
// A shop with one product. Start it with: php -S 127.0.0.1:8000 shop.php
require __DIR__ . '/orders.php';

/** @return array status and body of the answer */
function answer(string $request): array
{
    switch ($request) {
        case 'GET /':
            return [200, '<form method="post" action="/buy"><button>Buy for 500 taka</button></form>'];

        case 'POST /buy':
            $order = ['id' => bin2hex(random_bytes(16)), 'amount' => '500.00'];
            $url = create_payment($order);
            save_order($order + ['reference' => basename($url)]);
            header("Location: $url");
            return [303, ''];

        case 'GET /paid':
            $order = load_order($_GET['order'] ?? ''); // do not trust the other parameters
            if ($order === null) return [404, 'There is no such order.'];
            return [200, fulfil($order) ? 'Thank you, your order is paid.' : 'We wait for your payment.'];

        case 'GET /cancelled':
            return [200, 'You cancelled the payment. <a href="/">Try again</a>'];

        case 'POST /kashbox':
            $body = file_get_contents('php://input');
            if (!is_signed($_SERVER, $body)) return [401, ''];
            $event = json_decode($body, true);
            $order = load_order($event['meta_data']['order'] ?? '');
            if ($event['event'] !== 'payment.completed' || $order === null) return [200, ''];
            return [fulfil($order) ? 200 : 500, '']; // Kashbox repeats it after anything but 200

        default:
            return [404, 'There is nothing at this address.'];
    }
}

try {
    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    [$status, $html] = answer("{$_SERVER['REQUEST_METHOD']} $path");
} catch (Throwable $fault) {
    error_log($fault->getMessage());
    [$status, $html] = [503, 'Please reload this page in a minute.'];
}
http_response_code($status);
echo $html;
