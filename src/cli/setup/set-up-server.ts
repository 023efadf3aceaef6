/**
 * Runs `kashbox setup --server`: stores the domain, starts the daemon as a service, and waits for the
 * certificate. The shop comes after it.
 */
import { existsSync } from 'node:fs';
import type { Core } from '../../actions/core/core.js';
import {
  loadAttempts,
  loadPublicCertificate,
  requestAttempt,
} from '../../actions/installation/public-certificate.js';
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { msg, translate } from '../../base/values/msg.js';
import { openHome, storeSettings } from '../../config/home.js';
import { parseSettings } from '../../config/settings.js';
import { explainProblem } from '../../domain/certificates/public-certificate.js';
import { isTerminal, requireTerminal } from '../input/ask.js';
import { canInstall, daemonCommand, installService, isServing, restartService } from './managed-daemon.js';
import type { Setup } from './set-up.js';
import { waitFor } from './try-shop.js';
import { createPrompts, PromptAborted } from './wizard.js';

interface ServerFlags {
  readonly domain?: string | undefined;
  readonly acmeEmail?: string | undefined;
  readonly acmeDirectory?: string | undefined;
  /** Stops once the settings are stored; for a program that starts the service itself. */
  readonly onlySettings?: boolean | undefined;
}

/** Time limit for the certificate; it usually takes some seconds. */
const WAIT_S = 300;

/** @returns false if only the settings were to be stored. @throws KashboxError */
export async function setUpServer(setup: Setup, flags: ServerFlags): Promise<boolean> {
  try {
    const isChanged = await storeDomain(setup, flags);
    if (flags.onlySettings === true) return false;
    const core = await setup.cli.core();
    await provideService(setup, core, isChanged);
    await waitForCertificate(setup, core);
    return true;
  } catch (error) {
    if (!(error instanceof PromptAborted)) throw error;
    return refuse('Cancelled; no shop was made', 'Run it again: kashbox setup --server');
  }
}

/**
 * Prompts whether the machine has a domain name, before the first shop is made.
 * @returns false without a prompt if there is an installation, or if it gets its certificate in another way
 * @throws PromptAborted
 */
export async function hasDomainName({ cli, speaker }: Setup): Promise<boolean> {
  const { folder, env } = await cli.homeFolder();
  const home = openHome(folder);
  const { domain, tlsCert, publicUrl, databaseUrl } = parseSettings({}, env, home.settings);
  const isDecided = `${domain}${tlsCert}${publicUrl}${databaseUrl}` !== '' || existsSync(home.storeFile);
  if (isDecided) return false;
  return createPrompts(speaker).confirmed(
    msg`Is this a server with a domain name, such as pay.example.com?`,
    false,
  );
}

/** @returns true if the settings were changed. */
async function storeDomain({ cli, speaker }: Setup, flags: ServerFlags): Promise<boolean> {
  const { folder, env } = await cli.homeFolder();
  const stored = openHome(folder).settings;
  const before = parseSettings({}, env, stored);
  const domain = flags.domain ?? (before.domain === '' ? await askDomain(speaker) : before.domain);
  const { acmeEmail = before.acmeEmail, acmeDirectory = before.acmeDirectory } = flags;
  const after = parseSettings({ domain, acmeEmail, acmeDirectory }, env, stored);
  const changed = DOMAIN_SETTINGS.filter((name) => after[name] !== before[name]);
  if (changed.length === 0) return false;
  storeSettings(folder, Object.fromEntries(changed.map((name) => [name, after[name]])));
  cli.note(speaker.speak(msg`The domain ${after.domain} is stored in ${folder}/kashbox.json.`));
  return true;
}

const DOMAIN_SETTINGS = ['domain', 'acmeEmail', 'acmeDirectory'] as const;

async function askDomain(localizer: Setup['speaker']): Promise<string> {
  requireTerminal('No domain is named', 'Give it: kashbox setup --server --domain pay.example.com');
  return createPrompts(localizer).ask({
    message: msg`Domain name of this server:`,
    check: (text) => parseSettings({ domain: text }, {}, {}),
    wanted: msg`Enter a name such as pay.example.com, whose A record has the address of this server.`,
  });
}

/** Starts the service, or restarts it if it runs with other settings. */
async function provideService({ cli, speaker }: Setup, core: Core, isChanged: boolean): Promise<void> {
  const isOfMachine = process.getuid?.() === 0;
  if (canInstall()) {
    const file = installService({ home: core.home.folder, host: undefined, isOfMachine });
    cli.note(speaker.speak(msg`The service runs: ${file}`));
    return;
  }
  if (isChanged && restartService(isOfMachine)) return;
  if (await isServing(core)) return;
  const start = daemonCommand(undefined);
  if (!isTerminal()) {
    throw new KashboxError('state_refused', {
      message: 'The daemon does not run with this domain',
      hint: `Start it (${start}), then run this command again.`,
    });
  }
  const what = speaker.speak(msg`Start the daemon in another terminal: ${start}`);
  const look = async () => ((await isServing(core)) ? true : null);
  await waitFor({ what, look, limitMs: Number.POSITIVE_INFINITY });
}

/** @throws KashboxError `state_refused` with the remedy if the authority refuses, or if it takes too long */
async function waitForCertificate({ cli, speaker }: Setup, core: Core): Promise<void> {
  const { domain } = core.settings;
  const startedAt = core.clock.now();
  await requestAttempt(core);
  const waited = await waitFor({
    what: speaker.speak(msg`Waiting for the certificate of ${domain}.`),
    async look() {
      if ((await loadPublicCertificate(core)) !== null) return 'obtained';
      const attempts = await loadAttempts(core);
      const isNew = attempts !== null && attempts.at >= startedAt && attempts.leaseUntil === 0;
      return isNew ? attempts.problem : null;
    },
    limitMs: WAIT_S * 1_000,
  });
  if (waited.outcome === 'came' && waited.value === 'obtained') {
    cli.note(speaker.speak(msg`ok    https://${domain} has a certificate; the daemon renews it.`));
    return;
  }
  const last = waited.outcome === 'came' ? waited.value : (await loadAttempts(core))?.problem;
  if (last === undefined || last === null || last === 'obtained') {
    throw new KashboxError('state_refused', {
      message: `No certificate for ${domain} after ${WAIT_S} seconds`,
      hint: 'To find the reason: kashbox doctor',
    });
  }
  const { problem, remedy } = explainProblem(last, domain);
  throw new KashboxError('state_refused', {
    message: `No certificate for ${domain}: ${translate(problem)}`,
    hint: `${translate(remedy)} Then run this command again.`,
  });
}
