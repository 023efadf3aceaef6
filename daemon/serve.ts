/**
 * Ports of the daemon: HTTPS with the app behind it, plain HTTP next to it, and the graceful shutdown of
 * both. Knows no signals and no process; the tests start several of these in one.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type SecureContext, type Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Core } from '../src/actions/core/core.js';
import { type Certificate, loadCertificate, tlsOptions } from '../src/actions/installation/certificate.js';
import { loadPublicCertificate } from '../src/actions/installation/public-certificate.js';
import { KashboxError } from '../src/base/errors/errors.js';
import type { Log } from '../src/base/io/log.js';
import { buildApp } from './http/app.js';
import { answerClientError } from './http/errors.js';
import { createHttpServer, httpsGate } from './http/server.js';
import type { JobFigures } from './metrics.js';

/** Time limit for requests in progress after the daemon is asked to stop, in ms. */
const DRAIN_MS = 10_000;
const SWEEP_MS = 50;

export type Serving = Awaited<ReturnType<typeof serve>>;

/**
 * Opens both ports (0 in the settings means any that is free).
 * @param figures of this process, for `/metrics`.
 * @throws KashboxError `port_unavailable`, `config_invalid`
 */
export async function serve(core: Core, log: Log, figures?: JobFigures) {
  const { settings } = core;
  const certificate = await loadCertificate(core);
  logCertificate(log, core, certificate);
  const named = new PublicContext(core, log);
  await named.refresh();
  const draining = new AbortController();
  const app = await buildApp(core, {
    log,
    tls: certificate,
    chooseCertificate: (name) => named.choose(name),
    draining: draining.signal,
    ...(figures === undefined ? {} : { figures }),
  });
  app.server.on('tlsClientError', (error: Error & { code?: string }) => {
    log.debug({ code: error.code }, 'TLS handshake failed');
  });
  const plain = plainServer(core, app);
  try {
    await listen(app.server, settings.host, settings.port);
    await listen(plain, settings.host, settings.httpPort);
  } catch (error) {
    await Promise.all([closeServer(app.server), closeServer(plain)]);
    await app.close();
    throw error;
  }
  return {
    /** Addresses such as `https://127.0.0.1:8443`. */
    https: addressOf('https', settings.host, app.server),
    http: addressOf('http', settings.host, plain),
    /** SHA-256 of the certificate in hex. */
    fingerprint: certificate.fingerprint,
    /** Reloads certificate and key; unusable ones are logged and the present ones stay. */
    reload: (): Promise<void> => reload(core, log, app.server as unknown as TlsServer),
    /** Serves the certificate for the setting `domain` that the store has now. */
    refreshPublicCertificate: (): Promise<void> => named.refresh(),
    /** Accepts no more connections, answers requests under way, closes both ports. */
    drain: async (): Promise<void> => {
      draining.abort();
      await Promise.all([closeServer(app.server), closeServer(plain)]);
      await app.close();
    },
  };
}

/**
 * The certificate for the setting `domain`, chosen by the name that a client asks for (SNI). Every other name
 * and every address gets the installation's own, which phones have pinned.
 */
class PublicContext {
  private context: SecureContext | undefined;
  private text: string | null = null;

  constructor(
    private readonly core: Core,
    private readonly log: Log,
  ) {}

  choose(serverName: string): SecureContext | undefined {
    return serverName === this.core.settings.domain ? this.context : undefined;
  }

  /** Loads what any daemon of this store has obtained. */
  async refresh(): Promise<void> {
    const certificate = await loadPublicCertificate(this.core);
    const text = certificate?.cert ?? null;
    if (text === this.text) return;
    this.text = text;
    this.context = certificate === null ? undefined : createSecureContext(tlsOptions(certificate));
    const { domain } = this.core.settings;
    if (certificate === null) this.log.error({ domain }, 'the certificate of the domain has expired');
    else {
      const until = new Date(certificate.validUntil).toISOString().slice(0, 10);
      this.log.info({ domain, valid_until: until }, 'certificate of the domain loaded');
    }
  }
}

function plainServer(core: Core, app: FastifyInstance): Server {
  const { trustProxy, basePath } = core.settings;
  const httpsPort = () => portOf(app.server);
  const gate = httpsGate((request, response) => app.routing(request, response), {
    encrypted: false,
    trustProxy,
    basePath,
    httpsPort,
  });
  return createHttpServer(gate).on('clientError', answerClientError);
}

const CHOOSE_HOST =
  'Name an address of this machine with --host: 127.0.0.1 for programs on it, 0.0.0.0 for everybody.';

/** Reasons why the system refuses listening. Without a hint, the one of the error table applies. */
const REFUSALS: Readonly<Record<string, { readonly why: string; readonly hint?: string }>> = {
  EADDRINUSE: { why: 'is in use by another program, perhaps another Kashbox daemon' },
  EACCES: {
    why: 'may not be used without special rights',
    hint:
      'Choose ports from 1024 on with --port and --http-port, or run Kashbox as a service, which may use it: ' +
      'docs/install.md, "Ports below 1024".',
  },
  EADDRNOTAVAIL: { why: 'does not belong to this machine', hint: CHOOSE_HOST },
  ENOTFOUND: { why: 'is not known here', hint: CHOOSE_HOST },
  EAI_AGAIN: { why: 'is not known here', hint: CHOOSE_HOST },
};

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    const { code = 'unknown' } = cause as { readonly code?: string };
    const { why, hint } = REFUSALS[code] ?? { why: `cannot be listened on (${code})` };
    throw new KashboxError('port_unavailable', {
      message: `${host}:${port} ${why}`,
      ...(hint === undefined ? {} : { hint }),
      cause,
    });
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function addressOf(scheme: string, host: string, server: Server): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`;
}

/**
 * Connections that are idle, or become so, are closed at once; those with a request under way when it is
 * answered, or after `DRAIN_MS` in any case.
 */
async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  // Node closes idle connections only at this moment; one that was busy would be kept alive for a minute.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

function logCertificate(log: Log, core: Core, certificate: Certificate): void {
  const { selfSigned, isAlone, fingerprint, validUntil } = certificate;
  const fields = { fingerprint, valid_until: new Date(validUntil).toISOString().slice(0, 10) };
  if (validUntil <= core.clock.now()) log.error(fields, 'the certificate has expired');
  else if (selfSigned) {
    log.warn(
      fields,
      'self-signed certificate of the home folder: phones trust it by its fingerprint, browsers do not',
    );
  } else log.info(fields, 'certificate loaded');
  if (isAlone) {
    log.warn(
      'the store keeps another certificate for all daemons: phones that have pinned the one of this daemon ' +
        'cannot call another (see `kashbox doctor`)',
    );
  }
}

async function reload(core: Core, log: Log, server: TlsServer): Promise<void> {
  try {
    const certificate = await loadCertificate(core);
    server.setSecureContext(tlsOptions(certificate));
    logCertificate(log, core, certificate);
  } catch (error) {
    log.error({ err: error }, 'the certificate was not reloaded, the present one stays');
  }
}
