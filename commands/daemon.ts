/** `kashbox daemon` */
import { boolean, option, string } from '@oclif/core/flags';
import { command } from '../src/cli/command/define.js';
import { LOG_FORMATS, LOG_LEVELS } from '../src/config/settings.js';

/** All is finished and written by then. */
const LAST_CONNECTIONS_MS = 2_000;

export default command({
  summary: 'Run the payment API and all background jobs.',
  description:
    'Opens the HTTPS port for shops and relay phones, and a plain HTTP port that only refuses or redirects. ' +
    'Without a certificate it makes a self-signed one in the home folder. It logs to stderr: lines of text on a terminal, JSON lines elsewhere. ' +
    'Ctrl-C or SIGTERM answers what is under way and stops; SIGHUP reads the certificate files again. ' +
    'Every flag can be kept in kashbox.json or given as an environment variable instead (KASHBOX_PORT and so on).',
  examples: [
    '$',
    '$ --host 0.0.0.0 --port 443 --http-port 80 --tls-cert shop.crt --tls-key shop.key',
    '$ --trust-proxy 127.0.0.1 --json',
  ],
  flags: {
    host: string({ description: 'Address to listen on (default: 127.0.0.1; all: 0.0.0.0).' }),
    port: string({ description: 'HTTPS port (default: 8443; 0: any free port).' }),
    'http-port': string({ description: 'Plain HTTP port (default: 8080).' }),
    'tls-cert': string({ helpValue: 'FILE', description: 'Certificate file (PEM), with its chain.' }),
    'tls-key': string({ helpValue: 'FILE', description: 'Private key file of that certificate (PEM).' }),
    'trust-proxy': string({
      description: 'Address or range of a proxy whose X-Forwarded-For and -Proto count; may be repeated.',
      multiple: true,
    }),
    'allow-private-webhooks': boolean({
      description: 'For development: let notifications go to private addresses and over plain http.',
    }),
    force: boolean({
      description: 'Start on a store that `db copy` has copied away, and make it the live one again.',
    }),
    'log-level': option({ options: LOG_LEVELS, description: 'How much to log.' })(),
    'log-format': option({
      options: LOG_FORMATS,
      description: 'Log format (default: text on a terminal, else json).',
    })(),
  },
  async run({ cli, flags }) {
    const [{ runDaemon }, { nameSources }] = await Promise.all([
      import('../daemon/main.js'),
      import('../src/base/io/source-stack.js'),
    ]);
    process.on('uncaughtExceptionMonitor', nameSources);
    const code = await runDaemon({
      ...(await cli.homeFolder()),
      force: flags.force,
      given: {
        ...flags,
        trustProxy: flags.trustProxy?.join(','),
        // Without the flag the environment and kashbox.json decide.
        allowPrivateWebhooks: flags.allowPrivateWebhooks ? 'true' : undefined,
      },
      onListening: ({ https, http, fingerprint }) => {
        cli.show({ listening: { https, http }, fingerprint }, flags, () => [
          `Kashbox listens on ${https} (plain HTTP: ${http}).`,
        ]);
      },
    });
    // After damage the ports are still open, and the process must not outlive the answer.
    if (code !== 0) process.exit(code);
    // A connection to a machine that is gone without a word would keep the process for a quarter of an hour.
    setTimeout(() => process.exit(), LAST_CONNECTIONS_MS).unref();
  },
});
