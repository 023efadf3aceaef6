/** Commands that set up the agent on a phone or a computer: install, uninstall, doctor. */
import { type Command, InvalidArgumentError } from 'commander';
import { common, print, type Terminal } from './context.js';
import { type DoctorOptions, doctor } from './doctor/doctor.js';
import {
  type ComputerOptions,
  installOnComputer,
  isOnComputer,
  uninstallFromComputer,
} from './install/modem-install.js';
import { installOnPhone, type PhoneOptions, uninstallFromPhone } from './install/termux-install.js';
import { modemsOption } from './modems.js';

interface InstallOptions extends PhoneOptions, ComputerOptions {
  /** True to install on a computer; implied by `--modems`. */
  readonly modem?: boolean;
}

/** @param link what the QR code holds, if it is not paired yet */
function install(link: string | undefined, options: InstallOptions): Promise<string> {
  const isComputer = options.modem === true || options.modems !== undefined;
  return isComputer ? installOnComputer(link, options) : installOnPhone(link, options);
}

/** Detects the kind of the installation if `--modem` is not given. */
function uninstall(options: InstallOptions): Promise<string> {
  const isComputer = options.modem === true || isOnComputer(options.root);
  return isComputer ? uninstallFromComputer(options) : uninstallFromPhone(options);
}

export function addPhoneCommands(program: Command, terminal: Terminal): void {
  addInstall(program, terminal);
  addUninstall(program, terminal);
  addDoctor(program, terminal);
}

function addInstall(program: Command, terminal: Terminal): void {
  const command = program
    .command('install')
    .summary('make the agent a part of this phone, or of a computer with GSM modems')
    .description(
      'On a phone in Termux: pairs it, copies the agent to where it stays, lets it start with the phone and ' +
        'starts it. With --modem on a Debian computer, as root: the same as a service of systemd, with a user of ' +
        'its own, and so that ModemManager leaves the modems of gammu-smsd alone. The one file ' +
        'kashbox-relay.mjs is copied to /usr/local/lib/kashbox-relay; an installed npm package is used where it ' +
        'is. Can be run again at any time, also with a newer version.',
    )
    .argument('[link]', 'kashbox://pair?… as `kashbox devices enroll` prints it, if not paired yet')
    .option(
      '--sim-subs <slot=id,…>',
      "Android's subscription id of each SIM, for phones with two: 1=3,2=4",
      simSubs,
    )
    .option('--modem', 'install on this computer, which has GSM modems')
    .addOption(modemsOption())
    .option('--root <dir>', 'with --modem: write everything beneath this folder, and run no command')
    .option('--dry-run', 'only show what would be written and run')
    .action(async (link: string | undefined, options: InstallOptions) =>
      print(terminal, await install(link, options)),
    );
  const examples = `Examples:
  On a phone, in Termux:
    node kashbox-relay.mjs install 'kashbox://pair?url=…&code=…&fp=…'
  On a computer with a modem; "ls /dev/serial/by-id/" shows its name:
    sudo node kashbox-relay.mjs install --modem 'kashbox://pair?url=…&code=…&fp=…' \\
      --modems 1=gammu:/dev/serial/by-id/usb-…-if00-port0
  Which modem has which SIM is kept when it is run again:
    sudo kashbox-relay install --modem`;
  common(command, { json: false, examples });
}

function addUninstall(program: Command, terminal: Terminal): void {
  const command = program
    .command('uninstall')
    .summary('take the agent off this phone or computer; pairing and queue stay')
    .description(
      'Stops the agent and takes away what install has put on the phone or the computer; pairing and queue stay.',
    )
    .option('--modem', 'of a computer with GSM modems (default: what is installed)')
    .option('--root <dir>', 'with --modem: remove it beneath this folder, and run no command')
    .action(async (options: InstallOptions) => print(terminal, await uninstall(options)));
  common(command, { json: false, examples: 'Example:\n  kashbox-relay uninstall' });
}

function addDoctor(program: Command, terminal: Terminal): void {
  const command = program
    .command('doctor')
    .summary('check this phone or computer and say what to do about what is wrong')
    .description(
      'On a phone: checks Node, Termux:API, permissions and start with the phone. On a computer with GSM modems: ' +
        'checks the programs, each modem with its SIM, who else uses it, and the service. Then pairing, server ' +
        'and queue, and follows one real SMS to the server. Exit code 0 if nothing is wrong, else 4.',
    )
    .addOption(modemsOption())
    .option('--no-sms', 'leave out the test with a real SMS')
    .action(async (options: DoctorOptions) => {
      terminal.exitCode = await doctor(options, terminal);
    });
  const examples = `Examples:
  On a phone:
    kashbox-relay doctor --no-sms
  On a computer with a modem (as root it also sees which other program uses the modem):
    sudo kashbox-relay doctor`;
  common(command, { examples });
}

function simSubs(text: string): string {
  if (/^[1-9]=\d{1,9}(,[1-9]=\d{1,9})*$/.test(text)) return text;
  throw new InvalidArgumentError('It must look like 1=3,2=4.');
}
