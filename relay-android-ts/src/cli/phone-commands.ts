/** The commands of the command line that are for a phone in Termux: install, uninstall, doctor. */
import { type Command, InvalidArgumentError } from 'commander';
import { common, print } from './context.js';
import { type DoctorOptions, doctor } from './doctor/doctor.js';
import { type InstallOptions, install, uninstall } from './install/install.js';

export function addPhoneCommands(program: Command): void {
  const installing = program
    .command('install')
    .summary('make the agent a part of this phone, in Termux')
    .description(
      'Pairs this phone, copies the agent to where it stays, lets it start with the phone and starts it. ' +
        'Can be run again at any time, also with a newer kashbox-relay.mjs.',
    )
    .argument('[link]', 'kashbox://pair?… as `kashbox devices enroll` prints it, if not paired yet')
    .option(
      '--sim-subs <slot=id,…>',
      "Android's subscription id of each SIM, for phones with two: 1=3,2=4",
      simSubs,
    )
    .option('--dry-run', 'only show what would be written')
    .action(async (link: string | undefined, options: InstallOptions) => print(await install(link, options)));
  const example = "Example:\n  node kashbox-relay.mjs install 'kashbox://pair?url=…&code=…&fp=…'";
  common(installing, { json: false, examples: example });
  const uninstalling = program
    .command('uninstall')
    .summary('take the agent off this phone; pairing and queue stay')
    .description('Stops the agent and takes away what install has put on the phone; pairing and queue stay.')
    .action(async (options: InstallOptions) => print(await uninstall(options)));
  common(uninstalling, { json: false, examples: 'Example:\n  kashbox-relay uninstall' });
  const checking = program
    .command('doctor')
    .summary('check this phone and say what to do about what is wrong')
    .description(
      'Checks Node, Termux:API, permissions, start with the phone, pairing, server and queue, then follows one ' +
        'real SMS to the server. Exit code 0 if nothing is wrong, else 4.',
    )
    .option('--no-sms', 'leave out the test with a real SMS')
    .action(async (options: DoctorOptions) => {
      process.exitCode = await doctor(options);
    });
  common(checking, { examples: 'Example:\n  kashbox-relay doctor --no-sms' });
}

function simSubs(text: string): string {
  if (/^[1-9]=\d{1,9}(,[1-9]=\d{1,9})*$/.test(text)) return text;
  throw new InvalidArgumentError('It must look like 1=3,2=4.');
}
