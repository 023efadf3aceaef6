/** What clients/php has beside the other clients: a transport of the shop, and a PHP without extensions. */
import test from 'ava';
import { root, runProgram } from '../helpers/programs/processes.js';

const KEY = 'bk_0123456789abcdefghijABCDEFGHIJ0123456789';
const LOAD = `require '${root}clients/php/src/Kashbox.php';`;

/** @param transport code of its function. */
const create = (transport: string) => `${LOAD}
$kashbox = new Kashbox\\Kashbox([
  'url' => 'https://pay.example.com/pay',
  'key' => '${KEY}',
  'transport' => function (string $method, string $url, array $headers, string $body): array { ${transport} },
]);
$pages = ['successUrl' => 'https://shop.example.com/paid', 'cancelUrl' => 'https://shop.example.com/cart'];
try {
  echo $kashbox->create(['order' => 17, 'amount' => 500] + $pages)->id;
} catch (Kashbox\\KashboxError $fault) {
  echo get_class($fault), ': ', $fault->getMessage();
}`;

test('clients/php sends its requests by the transport that it is given', async (t) => {
  const answer = '{"payment_url":"https://pay.example.com/pay/api/execute/e21896d8223209df3f7fe8cb5be031fa"}';
  const { stdout } = await runProgram(t, 'php', [
    ...['-n', '-d', 'allow_url_fopen=0', '-r'],
    create(
      `echo "$method $url {$headers['BRAND-KEY']}\\n"; return ['status' => 200, 'body' => '${answer}'];`,
    ),
  ]);
  const request = `POST https://pay.example.com/pay/api/payment/create ${KEY}`;
  t.is(stdout, `${request}\ne21896d8223209df3f7fe8cb5be031fa`);
});

test('clients/php explains what a transport throws, without the key', async (t) => {
  const thrown = "throw new Exception('cURL error 28 with ' . $headers['BRAND-KEY']);";
  const { stdout } = await runProgram(t, 'php', ['-n', '-r', create(thrown)]);
  const said = 'Kashbox at https://pay.example.com/pay cannot be reached: cURL error 28 with …';
  t.is(stdout, `Kashbox\\ApiConnectionError: ${said}`);
});

test('clients/php says which extension is missing where PHP can send no request', async (t) => {
  const code = `${LOAD} new Kashbox\\Kashbox(['url' => 'https://pay.example.com', 'key' => '${KEY}']);`;
  const ran = await runProgram(t, 'php', ['-n', '-d', 'allow_url_fopen=0', '-r', code]);
  t.regex(
    ran.stdout + ran.stderr,
    /InvalidInputError: PHP cannot send HTTPS requests: install its extension curl/,
  );
  t.false((ran.stdout + ran.stderr).includes(KEY));
});

test('clients/php shows no key when an object is dumped', async (t) => {
  const code = `${LOAD} var_dump(new Kashbox\\Kashbox(['url' => 'https://pay.example.com', 'key' => '${KEY}']));`;
  const { stdout } = await runProgram(t, 'php', ['-n', '-r', code]);
  t.true(stdout.includes('https://pay.example.com'));
  t.false(stdout.includes(KEY));
});
