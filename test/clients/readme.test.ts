/** The code of the READMEs of our clients: each creates a payment and delivers its order once it is paid. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { blocksOf, readPage } from '../helpers/browser/pages.js';
import { openCli } from '../helpers/programs/cli.js';
import { startDaemonHere } from '../helpers/programs/daemon-here.js';
import { root, runProgram, startProgram } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

interface Readme {
  readonly folder: string;
  /** Language of the blocks. */
  readonly block: string;
  readonly command: readonly [string, ...string[]];
  /**
   * A program of the blocks about installing, creating and returning, with the order that they take for
   * granted: it prints the id of the payment, waits for a line, and prints what is delivered and shown.
   */
  program(blocks: readonly string[]): string;
}

const indented = (block = '') => block.replace(/^(?=.)/gm, '    ');

const READMES: Readonly<Record<string, Readme>> = {
  php: {
    folder: 'clients/php',
    block: 'php',
    command: ['php', '-n'],
    program: ([install = '', create, paid]) => `<?php
      class Order {
        public $number = '17';
        public $total = '500.00';
        public $paymentId;
        function savePayment($id) { $this->paymentId = $id; echo "$id\\n"; }
        function deliver($transaction) { echo "delivered $transaction\\n"; }
      }
      $order = new Order();
      ${install.replace("'Kashbox.php'", `'${root}clients/php/src/Kashbox.php'`)} ${create}
      fgets(STDIN);
      ${paid}`,
  },
  typescript: {
    folder: 'clients/typescript',
    block: 'ts',
    command: [process.execPath],
    program: ([install = '', create, paid]) => `
      const order = {
        number: '17',
        total: '500.00',
        savePayment: (id) => { order.paymentId = id; console.log(id); },
        deliver: (transaction) => console.log('delivered', transaction),
      };
      const response = { redirect: () => {}, send: (text) => console.log(text) };
      ${install.replace('kashbox-client', pathToFileURL(join(root, 'dist/clients/typescript/src/kashbox.js')).href)}
      ${create}
      await new Promise((resolve) => process.stdin.once('data', resolve).once('end', resolve));
      process.stdin.destroy();
      ${paid}`,
  },
  python: {
    folder: 'clients/python',
    block: 'python',
    command: ['python3', '-B'],
    program: ([install, create, paid]) => `
import sys
sys.path.insert(0, '${root}clients/python')
class Order:
    number, total, payment_id = '17', '500.00', None
    def save_payment(self, id):
        self.payment_id = id
        print(id, flush=True)
    def deliver(self, transaction):
        print('delivered', transaction)
order = Order()
redirect = str
${install}
def create():
${indented(create)}
def paid():
${indented(paid)}
create()
sys.stdin.readline()
print(paid())
`,
  },
};

for (const [language, { folder, block, command, program }] of Object.entries(READMES)) {
  test(`the README of ${language} creates a payment, and delivers when it is paid`, async (t) => {
    const kashbox = await openCli(t);
    await kashbox('merchants', 'create', '--name', 'Alo');
    const brand = ['brands', 'create', '--merchant', 'Alo', '--name', 'Alo test', '--test', '--json'];
    const made = (await kashbox(...brand)).json<{ brand_key: string; webhook_secret: string }>();
    const { url } = await startDaemonHere(t, { home: kashbox.home });
    const place = await temporaryFolder(t);
    const file = join(place, 'shop.mjs');
    const text = program(blocksOf(readPage(`${folder}/README.md`), block));
    await writeFile(file, text.replace('/var/lib/shop/deliveries', place));

    const [name, ...args] = command;
    const shop = startProgram(t, name, [...args, file], {
      ...{ KASHBOX_URL: url, KASHBOX_CA: join(kashbox.home, 'tls', 'cert.pem') },
      ...{ BRAND_KEY: made.brand_key, WEBHOOK_SECRET: made.webhook_secret },
    });
    const [id = ''] = await shop.printed(/^[0-9a-f]{32}$/m);
    t.is((await kashbox('test', 'pay', id)).code, 0);
    shop.stdin.end('\n');
    t.is((await shop.ended).code, 0, shop.stderr());
    t.regex(shop.stdout(), /\ndelivered \S+\nThank you, your order is paid\.\s*$/);
  });
}

test('every piece of PHP and Python in the READMEs can be parsed', async (t) => {
  const php = blocksOf(readPage('clients/php/README.md'), 'php');
  const python = blocksOf(readPage('clients/python/README.md'), 'python');
  t.true(php.length >= 5 && python.length >= 5);
  const folder = await temporaryFolder(t);
  for (const [number, block] of php.entries()) {
    const file = join(folder, `${number}.php`);
    await writeFile(file, `<?php\n${block}`);
    const { code, stdout } = await runProgram(t, 'php', ['-n', '-l', file]);
    t.is(code, 0, `${block}\n${stdout}`);
  }
  const all = JSON.stringify(python.map((block) => `def run():\n${indented(block)}`));
  const parse = 'import ast, json, sys\nfor block in json.loads(sys.argv[1]): ast.parse(block)';
  const { code, stderr } = await runProgram(t, 'python3', ['-c', parse, all]);
  t.is(code, 0, stderr);
});
