import test from 'ava';
import { unknownCommand } from '../../../src/cli/command/failure.js';

const KNOWN = [
  ...['brands:create', 'brands:list', 'brands:show', 'brands:update'],
  ...['devices:enroll', 'devices:list', 'devices:revoke'],
  ...['merchants:activate', 'merchants:create', 'merchants:list', 'merchants:suspend'],
  ...['payments:create', 'payments:list', 'payments:show', 'setup', 'sms:list'],
  ...['daemon', 'doctor', 'test:pay', 'update'],
];

const hints: readonly (readonly [typed: string, hint: string])[] = [
  ['paymets', 'Did you mean: kashbox payments'],
  ['paymnets:list', 'Did you mean: kashbox payments list'],
  ['paymnets:lst', 'Did you mean: kashbox payments list'],
  ['paymnets:frobnicate', 'Did you mean: kashbox payments'],
  ['merchants:crate', 'Did you mean: kashbox merchants create'],
  ['list:payments', 'Did you mean: kashbox payments list'],
  ['update:brands', 'Did you mean: kashbox brands update'],
  ['update:brands:Alo', 'Did you mean: kashbox brands update'],
  ['upgrade', 'Did you mean: kashbox update'],
  ['stup', 'Did you mean: kashbox setup'],
  ['devices:delete', 'Did you mean: kashbox devices revoke'],
  ['devices:add', 'Did you mean: kashbox devices enroll'],
  ['merchants:deactivate', 'Did you mean: kashbox merchants suspend'],
  ['brands:delete', 'kashbox brands has: create, list, show, update'],
  ['brands:xyz', 'kashbox brands has: create, list, show, update'],
  ['xyz', 'See all commands: kashbox --help'],
  // Two letters of three are another word.
  ['rms', 'Did you mean: kashbox sms'],
  ['rmt', 'See all commands: kashbox --help'],
  ['Payments:List', 'Did you mean: kashbox payments list'],
  ['status', 'Did you mean: kashbox doctor'],
  ['start', 'Did you mean: kashbox daemon'],
  ['pay', 'Did you mean: kashbox payments create'],
  // Near to "test" and "setup", and neither of them.
  ['list', 'See all commands: kashbox --help'],
  ['stop', 'See all commands: kashbox --help'],
];

for (const [typed, hint] of hints) {
  const words = typed.replaceAll(':', ' ');
  test(`of "${words}" it is said: ${hint}`, (t) => {
    const message = `There is no command "${words}"`;
    t.deepEqual(unknownCommand(typed, KNOWN), { code: 'invalid_input', message, hint, exit: 2 });
  });
}

test('the opposite of what was typed is never suggested', (t) => {
  for (const verb of ['unsuspend', 'deactivate', 'disactivate']) {
    const { hint } = unknownCommand(`merchants:${verb}`, KNOWN);
    t.notRegex(hint, new RegExp(`^Did you mean: .* ${verb.replace(/^(un|de|dis)/, '')}$`));
  }
});

test('words behind a command that takes none, and flags before one, are called what they are', (t) => {
  t.is(unknownCommand('setup:foo', KNOWN).message, 'kashbox setup takes no argument "foo"');
  t.is(unknownCommand('--brand', KNOWN).message, 'kashbox alone takes no flag "--brand"');
});
