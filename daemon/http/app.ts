/**
 * Builds the HTTP API without listening: tests inject requests, the daemon connects it to its ports. It puts
 * parsing, authentication, limits and routes together and holds no rule itself.
 */
import { isIP } from 'node:net';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import type { Core } from '../../src/actions/core/core.js';
import { openRateWindows } from '../../src/actions/core/rate-windows.js';
import type { TlsFiles } from '../../src/actions/installation/certificate.js';
import { KashboxError } from '../../src/base/errors/errors.js';
import type { Log } from '../../src/base/io/log.js';
import type { Settings } from '../../src/config/settings.js';
import { isIpRange, isTooWide } from '../../src/domain/accounts/access.js';
import { refuseWhileHeld } from '../../src/store/write-health.js';
import { warnOfSoldOut } from '../loops/warnings.js';
import type { JobFigures } from '../metrics.js';
import { openPhoneSubscribers } from '../relay/phone-subscribers.js';
import { createRequestTimes, type RequestTimes } from '../request-times.js';
import type { RouteContext } from './context.js';
import { answerClientError, errorHandler, sendError } from './errors.js';
import { bruteForceAlerter, registerLimits } from './gates/limits.js';
import { acceptOnlyJson } from './input/json.js';
import type { ReferenceDocument } from './reference/openapi.js';
import { acquirerRoutes } from './routes/acquirer.js';
import { checkoutRoutes } from './routes/checkout.js';
import { deviceStatusRoute } from './routes/device-status.js';
import { displayRoutes } from './routes/display.js';
import { displayApiRoutes } from './routes/display-api.js';
import { forwardRoute } from './routes/forward.js';
import { gatewayRoutes } from './routes/gateway.js';
import { hostedRoutes } from './routes/hosted.js';
import { linkRoutes } from './routes/links.js';
import { metricsRoutes } from './routes/metrics.js';
import { mobileRoutes } from './routes/mobile.js';
import { paymentRoutes } from './routes/payment.js';
import { pictureRoute, qrImageRoute } from './routes/pictures.js';
import { refundRoutes } from './routes/refund.js';
import { pairRoute, relayEventsRoute, relayRoutes } from './routes/relay.js';
import { relayFileRoutes } from './routes/relay-file.js';
import { challengeRoute, healthRoutes, leadToReference, referenceRoutes } from './routes/service.js';
import { type CertificateChoice, createHttpServer, httpsGate } from './server.js';

export interface AppOptions {
  readonly log: Log;
  /** Without it the server is plain HTTP, and serves only requests that reached a trusted proxy by HTTPS. */
  readonly tls?: TlsFiles;
  /** Other certificates, by host name. */
  readonly chooseCertificate?: CertificateChoice;
  /** Aborted when the process is about to end; then `/readyz` says so, and event streams end. */
  readonly draining?: AbortSignal;
  /** Metrics of this process for `/metrics`; without them only those of the app and of the store. */
  readonly figures?: JobFigures;
}

const NO_FIGURES: JobFigures = { jobs: () => [], attempts: () => ({}), lostLogLines: () => 0 };

/** Longest URL parameter; Fastify's default is 100, but chat apps append more to links. */
const MAX_PART = 2_000;

/**
 * @returns the complete app; `listen` or `inject` may follow.
 * @throws KashboxError `config_invalid` if a trusted proxy is not an address or range, or is too wide
 */
export async function buildApp(core: Core, options: AppOptions): Promise<FastifyInstance> {
  const requests = createRequestTimes(core.settings.basePath);
  const app = bareApp(core.settings, options, requests);
  await addRoutes(app, core, options, requests);
  const endWarnings = warnOfSoldOut(core, options.log);
  app.addHook('onClose', async () => endWarnings());
  await app.ready();
  return app;
}

async function addRoutes(
  app: FastifyInstance,
  core: Core,
  options: AppOptions,
  requests: RequestTimes,
): Promise<void> {
  const { log, draining = new AbortController().signal, figures = NO_FIGURES } = options;
  const { settings } = core;
  const limits = await registerLimits(
    app,
    settings,
    openRateWindows(core.store),
    bruteForceAlerter(core, log),
  );
  const refuseOtherMethods = collectMethods(app);
  const phones = openPhoneSubscribers(core, log, { maxListeners: settings.relayStreams });
  draining.addEventListener('abort', () => phones.endAll());
  app.addHook('onClose', async () => phones.endAll());
  const context: RouteContext = { core, log, limits, phones, draining };
  healthRoutes(app, context);
  challengeRoute(app, context);
  metricsRoutes(app, context, { ...figures, requests: requests.all });
  const prefix = settings.basePath;
  await app.register(async (scope) => referenceRoutes(scope, () => describe(core, log)), { prefix });
  // People type the address without the base path.
  if (prefix !== '') leadToReference(app, prefix);
  for (const [addTo, path = ''] of ROUTES) {
    const addBehindGate = async (scope: FastifyInstance) => {
      scope.addHook('onRequest', async () => refuseWhileHeld(core.store));
      await addTo(scope, context);
    };
    await app.register(addBehindGate, { prefix: `${prefix}${path}` });
  }
  await app.register(async (scope) => refuseOtherMethods(scope));
}

/** Each in a scope of its own, below the base path and a path of their own. */
const ROUTES: readonly (readonly [
  addTo: (scope: FastifyInstance, context: RouteContext) => void | Promise<void>,
  path?: string,
])[] = [
  [paymentRoutes],
  [refundRoutes],
  [hostedRoutes],
  [displayApiRoutes],
  [pairRoute],
  [relayRoutes],
  [relayEventsRoute],
  [relayFileRoutes],
  [deviceStatusRoute],
  [forwardRoute],
  [mobileRoutes, '/mobile/v1'],
  [gatewayRoutes],
  [acquirerRoutes],
  [qrImageRoute],
  [pictureRoute],
  [checkoutRoutes, '/api/execute'],
  [linkRoutes, '/pay'],
  [displayRoutes, '/display'],
];

/** Rarely requested, so it is made from a second app that serves no requests. */
async function describe(core: Core, log: Log): Promise<ReferenceDocument> {
  const { watchRoutes } = await import('./reference/document.js');
  const requests = createRequestTimes(core.settings.basePath);
  const app = bareApp(core.settings, { log }, requests);
  try {
    const documentOf = watchRoutes(app, core.settings);
    await addRoutes(app, core, { log }, requests);
    await app.ready();
    return documentOf();
  } finally {
    await app.close();
  }
}

/**
 * The app without routes: servers, parsing, errors, headers and log. The benchmark adds routes that store
 * nothing, so that both sides of a ratio differ in nothing else.
 */
export function bareApp(
  settings: Settings,
  options: AppOptions,
  requests: RequestTimes = createRequestTimes(settings.basePath),
): FastifyInstance {
  const { log, tls, chooseCertificate, draining } = options;
  checkProxies(settings.trustProxy);
  const app = Fastify({
    serverFactory: (handler) =>
      createHttpServer(
        httpsGate(handler, {
          encrypted: tls !== undefined,
          trustProxy: settings.trustProxy,
          basePath: settings.basePath,
          httpsPort: () => settings.port,
        }),
        tls,
        chooseCertificate,
      ),
    trustProxy: settings.trustProxy.length === 0 ? false : [...settings.trustProxy],
    bodyLimit: settings.bodyKib * 1024,
    // Shops add a slash even to an address that ends in one.
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MAX_PART,
    },
    // While draining, what is already on a kept connection is still answered.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
    frameworkErrors: (error, _request, reply) => {
      sendError(error, reply);
    },
  });
  app.decorateRequest('caller', '');
  app.decorateRequest('brand', null);
  app.decorateRequest('keyless', null);
  app.decorateRequest('device', null);
  app.setErrorHandler(errorHandler(log));
  // A route says by its operation what is validated; a phone's one wrong field must cost no message.
  app.setValidatorCompiler(() => () => true);
  acceptOnlyJson(app);
  const hsts = strictTransport(settings.publicUrl);
  addHooks(app, { log, requests, hsts, isDraining: () => draining?.aborted === true });
  return app;
}

/** A range of all addresses is refused: any client could spoof its address, and say that it came by HTTPS. */
function checkProxies(ranges: readonly string[]): void {
  const wrong = ranges.filter((range) => {
    const [address = ''] = range.split('/');
    return isIP(address) === 0 || !isIpRange(range) || isTooWide(range);
  });
  if (wrong.length === 0) return;
  throw new KashboxError('config_invalid', {
    message: `These trusted proxies are not valid addresses or ranges, or are too wide: ${wrong.join(', ')}`,
    hint: 'Name the proxy itself, for example 127.0.0.1 or 10.0.0.0/24.',
  });
}

interface HookContext {
  readonly log: Log;
  readonly requests: RequestTimes;
  /** Null where none is sent. */
  readonly hsts: string | null;
  isDraining(): boolean;
}

/** Policy for answers that are not pages: load nothing, cannot be framed. Pages have their own policy. */
const BARE_POLICY = "default-src 'none'; frame-ancestors 'none'";

const YEAR_S = 31_536_000;

/**
 * Returns null unless the public address is a site on port 443. Strict-Transport-Security (RFC 6797) applies
 * to every port of a host name, and with it browsers do not let users accept a self-signed certificate.
 */
function strictTransport(publicUrl: string): string | null {
  const isSite = URL.canParse(publicUrl) && new URL(publicUrl).port === '';
  return isSite && publicUrl.startsWith('https:') ? `max-age=${YEAR_S}` : null;
}

const COMPRESSED = 'The body is compressed: send it as it is, without Content-Encoding';

function addHooks(app: FastifyInstance, { log, requests, hsts, isDraining }: HookContext): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    reply.header('content-security-policy', BARE_POLICY);
    if (hsts !== null) reply.header('strict-transport-security', hsts);
    // HTTP/2 has no such header: its sessions are told by themselves.
    if (isDraining() && request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
    // Before the body is read: an unknown address is 404 whatever is sent to it.
    done(request.is404 ? new KashboxError('route_not_found') : undefined);
  });
  app.addHook('preParsing', ({ headers }, reply, body, done) => {
    const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    const packed = isSent && !/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '');
    if (!packed) return done(null, body);
    // RFC 7694.
    reply.header('accept-encoding', 'identity');
    done(new KashboxError('unsupported_media_type', { message: COMPRESSED }));
  });
  // Fastify requires a handler, although the hook above always answers first.
  app.setNotFoundHandler((_request, reply) => sendError(new KashboxError('route_not_found'), reply));
  const isLogged = log.isLevelEnabled('info');
  app.addHook('onResponse', (request, reply, done) => {
    requests.note(request.routeOptions.url ?? '', reply.statusCode, reply.elapsedTime);
    if (isLogged) logRequest(log, request, reply);
    done();
  });
}

/** Logs neither address, headers nor body, because each may contain keys. The route's pattern is enough. */
function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const level = isRoutine(request, reply) ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level]({
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    caller: request.caller === '' ? null : request.caller,
  });
}

/** Phones call every few seconds and would fill the log. */
function isRoutine(request: FastifyRequest, reply: FastifyReply): boolean {
  return reply.statusCode === 200 && request.routeOptions.url?.endsWith('/api/v2/relay/sync') === true;
}

/**
 * Fastify says 404 to a wrong method. @returns a plugin to be registered last, which gives every address
 * that was registered since this call a 405 with `Allow` for all methods that it does not have.
 */
function collectMethods(app: FastifyInstance): (scope: FastifyInstance) => void {
  const known = new Map<string, Set<HTTPMethods>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set();
    known.set(url, methods);
    for (const name of [method].flat()) methods.add(name);
  });
  return (scope) => {
    for (const [url, methods] of [...known]) {
      const allow = [...methods].join(', ');
      const others = scope.supportedMethods.filter((name) => !methods.has(name));
      scope.route({
        method: others,
        url,
        onRequest: (_request, reply, done) => {
          reply.header('allow', allow);
          done(new KashboxError('method_not_allowed'));
        },
        handler: async () => undefined,
      });
    }
  };
}
