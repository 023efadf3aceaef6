/** `kashbox daemon` */
import { boolean, option, string } from '@oclif/core/flags';
import { command } from '../src/cli/command/define.js';
import { LOG_FORMATS, LOG_LEVELS } from '../src/config/settings.js';

/** All is finished and written by then. */
const LAST_CONNECTIONS_MS = 2_000;

export default command({
  summary: 'Run the payment API and all background jobs.',
  description:
    'Listens on an HTTPS port for shops and relay phones, and on a plain HTTP port that only redirects or ' +
    'refuses. With --domain it obtains a certificate for that name and listens on all addresses, ports 443 ' +
    'and 80; the name must lead to this machine. Without a certificate it creates a self-signed one in the ' +
    'home folder. Logs go to stderr: text on a terminal, else JSON lines. Ctrl-C or SIGTERM finishes open requests and stops; SIGHUP ' +
    'reloads certificate files, or tries again to obtain one. Every flag can also be set in kashbox.json or as an environment variable ' +
    '(KASHBOX_PORT and so on).',
  examples: [
    '$',
    '$ --domain pay.amardokan.com',
    '$ --host 0.0.0.0 --port 443 --http-port 80 --tls-cert shop.crt --tls-key shop.key',
    '$ --trust-proxy 127.0.0.1 --json',
  ],
  flags: {
    host: string({ description: 'Address to listen on (default: 127.0.0.1; all: 0.0.0.0).' }),
    port: string({ description: 'HTTPS port (default: 8443; 0: any free port).' }),
    'http-port': string({ description: 'Plain HTTP port (default: 8080).' }),
    domain: string({
      helpValue: 'NAME',
      description: 'Domain name; its certificate is obtained and renewed automatically.',
    }),
    'acme-directory': string({
      helpValue: 'URL',
      description: "Certificate authority (ACME directory; default: Let's Encrypt).",
    }),
    'acme-email': string({ helpValue: 'EMAIL', description: 'E-mail address for the authority (optional).' }),
    'tls-cert': string({ helpValue: 'FILE', description: 'Certificate file with its chain (PEM).' }),
    'tls-key': string({ helpValue: 'FILE', description: 'Private key file of the certificate (PEM).' }),
    'trust-proxy': string({
      description: 'Address or CIDR of a trusted proxy (X-Forwarded-For, -Proto); may be repeated.',
      multiple: true,
    }),
    'allow-private-webhooks': boolean({
      description: 'For development: allow webhooks to private addresses and over plain http.',
    }),
    force: boolean({
      description: 'Start on a store that `db copy` marked as copied, and remove the mark.',
    }),
    'log-level': option({ options: LOG_LEVELS, description: 'Log level.' })(),
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
