<?php
// Orders of the shop, kept as files. Replace this file by tables of your database.
require_once __DIR__ . '/kashbox.php';

define('DATA', getenv('DATA_FOLDER') ?: __DIR__ . '/data');
if (!is_dir(DATA)) mkdir(DATA, 0700);

/** @param array $order id, amount as "500.00", and the session reference of its payment */
function save_order(array $order): void
{
    file_put_contents(DATA . "/{$order['id']}.json", json_encode($order));
}

/** @param mixed $id as a stranger may have typed it */
function load_order($id): ?array
{
    if (!is_string($id) || !preg_match('/^[0-9a-f]{32}$/D', $id)) return null;
    $file = DATA . "/$id.json";
    return is_file($file) ? json_decode(file_get_contents($file), true) : null;
}

/** Delivers an order if it is paid, and only once. @return bool whether it is paid */
function fulfil(array $order): bool
{
    if (!is_paid($order)) return false;
    // Mode x creates the file, or fails if it exists: of two calls at once, one delivers.
    // In a database: insert the order id into a table with a unique key, and deliver in the same transaction.
    $mark = DATA . "/{$order['id']}.delivered";
    if (@fopen($mark, 'x')) {
        file_put_contents(DATA . '/deliveries.log', $order['id'] . "\n", FILE_APPEND | LOCK_EX);
    } elseif (!is_file($mark)) {
        throw new RuntimeException("Cannot write $mark");
    }
    return true;
}
