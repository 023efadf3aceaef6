import test from 'ava';
import { userName } from '../../../src/cli/command/base-command.js';

test('names the person behind sudo for root and for the user of the daemon', (t) => {
  for (const user of ['root', 'kashbox']) {
    t.is(userName({ SUDO_USER: 'rahim' }, user), 'rahim');
    t.is(userName({ SUDO_USER: 'DOM.rahim-2@shop' }, user), 'DOM.rahim-2@shop');
    t.is(userName({}, user), user);
  }
});

test('ignores SUDO_USER for an ordinary user and if it is not a valid user name', (t) => {
  t.is(userName({ SUDO_USER: 'rahim' }, 'karim'), 'karim');
  for (const name of ['', 'rahim\nrule', 'a b', 'x'.repeat(65)]) {
    t.is(userName({ SUDO_USER: name }, 'root'), 'root', name);
  }
});
