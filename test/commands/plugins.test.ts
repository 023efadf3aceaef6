/** `--plugin` on the command line, with the real program. */
import test from 'ava';
import { openCli } from '../helpers/programs/cli.js';

interface Brand {
  readonly plugin: string | null;
  readonly dialect: string;
}

test.serial('a plugin is set at setup, shown, changed and removed', async (t) => {
  const kashbox = await openCli(t);
  const account = ['--account', 'mfs_a:personal:01711000001'];
  const made = await kashbox('setup', '--merchant-name', 'Alo', '--plugin', 'sohojpay-whmcs', ...account);
  t.is(made.code, 0, made.stderr);
  t.regex(made.stdout, /SohojPay for WHMCS\. To point it to Kashbox/);
  t.regex(
    made.stdout,
    /\n {2}sed -i 's#https:\/\/secure\.sohojpaybd\.com#https:\/\/pay\.example\.com#' modules/,
  );
  // That it takes any order's id for paid, and what is done about it.
  t.regex(
    made.stdout.replace(/\s+/g, ' '),
    /It books any completed id and does .* Verify returns COMPLETED for that id only/,
  );
  const again = await kashbox('brands', 'update', 'Alo', '--plugin', 'sohojpay-whmcs');
  t.regex(again.stdout.replace(/\s+/g, ' '), /It books any completed id/);
  t.regex(
    (await kashbox('doctor')).stdout.replace(/\s+/g, ' '),
    /brand Alo: its program is sohojpay-whmcs\. It books any completed id/,
  );
  const show = async () => (await kashbox('brands', 'show', 'Alo', '--json')).json<Brand>();
  t.like(await show(), { plugin: 'sohojpay-whmcs', dialect: 'flat', webhook_format: 'form' });
  t.regex((await kashbox('brands', 'show', 'Alo')).stdout, /\nPlugin +sohojpay-whmcs\n/);
  const changed = [
    'brands',
    'update',
    'Alo',
    '--plugin',
    'drutopay-smm',
    '--metadata-as',
    'object',
    '--json',
  ];
  t.like((await kashbox(...changed)).json(), { plugin: 'drutopay-smm', metadata_as: 'object' });
  const [head = '', row = ''] = (await kashbox('brands', 'list', '--csv')).stdout.split('\r\n');
  t.is(row.split(',')[head.split(',').indexOf('plugin')], 'drutopay-smm');
  t.like((await kashbox('brands', 'update', 'Alo', '--plugin', 'none', '--json')).json(), {
    ...{ plugin: null, dialect: 'standard' },
  });
  const second = ['brands', 'create', '--merchant', 'Alo', '--name', 'Web', '--plugin', 'nagorikpay'];
  t.regex((await kashbox(...second)).stdout, /NAGORIKPAY_BASE_URL=/);
});

test.serial('rejects an invalid plugin name and lists the valid ones, also in the help', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const refused = await kashbox('brands', 'update', 'Alo', '--plugin', 'whmcs');
  t.is(refused.code, 2);
  t.regex(refused.stderr, /Expected --plugin=whmcs to be one of: sohojpay-whmcs, .*nagorikpay/);
  for (const command of [['brands', 'update'], ['brands', 'create'], ['setup']]) {
    const help = (await kashbox(...command, '--help')).stdout.replace(/\s+/g, ' ');
    t.regex(help, /Programs for --plugin: sohojpay-whmcs, .*turbopay-woocommerce/);
  }
});

test.serial('form webhooks imply the flat dialect, and choosing standard prints a warning', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const implied = await kashbox('brands', 'update', 'Alo', '--webhook-format', 'form', '--json');
  t.deepEqual([implied.json<Brand>().dialect, implied.stderr], ['flat', '']);
  const risky = await kashbox('brands', 'update', 'Alo', '--dialect', 'standard', '--json');
  t.is(risky.json<Brand>().dialect, 'standard');
  t.regex(risky.stderr, /Note: .*written in PHP.*kashbox brands update Alo --dialect flat/);
});
