/** Whether the daemon of this installation runs here, and a daemon of our own for as long as setup lasts. */
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import type { Core } from '../../actions/core/core.js';
import { EVERY_ADDRESS } from '../input/daemon-address.js';
import { Children, readListening } from '../programs/children.js';

const ASK_MS = 2_000;

/** @returns the fingerprint of the certificate of whoever listens on our port; null where nobody does. */
function listener({ settings }: Core): Promise<string | null> {
  const { host, port } = settings;
  return new Promise((resolve) => {
    const asked = get({
      host: EVERY_ADDRESS.includes(host) ? '127.0.0.1' : host,
      port,
      path: '/healthz',
      // It is only asked whether it is the one that we know.
      rejectUnauthorized: false,
      timeout: ASK_MS,
      agent: false,
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.once('error', () => resolve(null));
    asked.once('response', (answer) => {
      const { fingerprint256 } = (answer.socket as TLSSocket).getPeerCertificate();
      answer.destroy();
      resolve(fingerprint256);
    });
  });
}

/** Where the daemon has another certificate than one of a file here, anybody who listens is taken for it. */
function knownFingerprint({ settings, home }: Core): string | null {
  const file = settings.tlsCert === '' ? join(home.tlsFolder, 'cert.pem') : settings.tlsCert;
  return existsSync(file) ? new X509Certificate(readFileSync(file)).fingerprint256 : null;
}

export async function isServing(core: Core): Promise<boolean> {
  const known = knownFingerprint(core);
  const found = await listener(core);
  return found !== null && (known === null || found === known);
}

export interface OwnDaemon {
  stop(): Promise<void>;
}

/**
 * @param env of the installation.
 * @param host address to listen on; undefined for what the settings say.
 * @returns it, once it listens; it ends with this process at the latest.
 * @throws KashboxError with its last words if it does not start
 */
export async function startOwnDaemon(
  core: Core,
  env: NodeJS.ProcessEnv,
  host: string | undefined,
): Promise<OwnDaemon> {
  const children = new Children(() => {});
  const args = ['daemon', ...(host === undefined ? [] : ['--host', host]), '--json'];
  const program = { name: 'the daemon', script: process.argv[1] ?? '', args, env };
  const kill = () => children.kill();
  process.once('exit', kill);
  try {
    await children.start(program, join(core.home.folder, 'daemon.log'), readListening);
  } catch (error) {
    await children.stop();
    process.off('exit', kill);
    throw error;
  }
  return {
    stop: async () => {
      await children.stop();
      process.off('exit', kill);
    },
  };
}
