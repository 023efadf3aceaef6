<?php
// Runs clients/php for the tests: a call in JSON per line of input, its outcome per line of output.
declare(strict_types=1);

require __DIR__ . '/../../../clients/php/src/Kashbox.php';

use Kashbox\Event;
use Kashbox\FileDeliveryStore;
use Kashbox\Kashbox;
use Kashbox\KashboxError;

function outcome(array $call)
{
    if ($call['do'] === 'amount') return Kashbox::amountOf($call['amount']);
    $options = $call['options'];
    if (isset($options['deliveries'])) $options['deliveries'] = new FileDeliveryStore($options['deliveries']);
    $kashbox = new Kashbox($options);
    switch ($call['do']) {
        case 'create':
            return $kashbox->create($call['call']);
        case 'verify':
            return $kashbox->verify($call['call']);
        case 'refund':
            return $kashbox->refund($call['call']);
        case 'receive':
            return $kashbox->receive($call['body'], $call['headers'], $call['now'] ?? null);
        case 'settle':
            return $kashbox->settle($call['call'], function ($payment) use ($call) {
                if ($call['fails'] ?? false) throw new LogicException('no stock');
                file_put_contents($call['log'], "{$payment->order}\n", FILE_APPEND | LOCK_EX);
            });
        default:
            return 'configured';
    }
}

set_error_handler(function (int $level, string $text) {
    throw new ErrorException($text);
}, error_reporting());
while (($line = fgets(STDIN)) !== false) {
    try {
        $told = ['result' => outcome(json_decode($line, true))];
    } catch (KashboxError $fault) {
        $kind = substr(get_class($fault), strlen('Kashbox\\'));
        $told = ['error' => ['kind' => $kind, 'message' => $fault->getMessage()] + get_object_vars($fault)];
    } catch (Throwable $fault) {
        $told = ['error' => ['kind' => 'other', 'message' => $fault->getMessage()]];
    }
    echo json_encode($told), "\n";
}
