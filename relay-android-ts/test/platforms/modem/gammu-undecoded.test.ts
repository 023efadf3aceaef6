/** SMS that gammu-smsd cannot decode: they hold up no other, are kept, and a person is told of them. */
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import anyTest from 'ava';
import { Unreadable } from '../../../src/platforms/modem/gammu/gammu-folder.js';
import { AtPort, StuckSms } from '../../../src/platforms/modem/gammu/stuck-sms.js';
import { nodeClock } from '../../../src/ports/node-clock.js';
import { until } from '../../helpers/agent.js';
import { MemoryLog } from '../../helpers/messages.js';
import { GammuSetup, hasGammu } from '../../helpers/modem/gammu-setup.js';
import { deliverPdus } from '../../helpers/modem/pdu.js';

const test = hasGammu() ? anyTest : anyTest.skip;
/** It ends before the text that it announces. */
const CUT = (deliverPdus({ from: 'bKash', text: 'cut off' })[0] ?? '').slice(0, 40);

test('it is kept and reported, and the SMS behind it arrive', async (t) => {
  const setup = await GammuSetup.make(t);
  setup.modem.receive(CUT);
  for (const text of ['Tk 1', 'Tk 2']) setup.modem.deliver({ from: 'bKash', text });
  await setup.begin();
  t.deepEqual((await setup.list(2, 150_000)).map(({ text }) => text).sort(), ['Tk 1', 'Tk 2']);
  await setup.emptied();
  const folder = join(setup.folder, 'unreadable');
  const [name = '', ...more] = await readdir(folder);
  t.deepEqual(more, []);
  t.is(await readFile(join(folder, name), 'utf8'), `${CUT}\n`);
  await setup.tells(/^1 SMS that cannot be read/);
  t.true((await setup.problem()).includes(folder));
  t.false(setup.logged.join().includes(CUT));
  t.is((await setup.agent.send({ id: 'a', number: '01711000000', text: 'x' })).kind, 'sent');
  await rm(join(folder, name));
  await setup.works();
});

test('where the modem does not remove it, the problem says what to do', async (t) => {
  const setup = await GammuSetup.make(t);
  setup.modem.onCommand = (command) => (command.startsWith('AT+CMGD') ? ['+CMS ERROR: 500'] : null);
  setup.modem.receive(CUT);
  await setup.begin();
  await setup.tells(/SM 1.*CMS ERROR: 500.*phone/, 150_000);
  t.is(setup.modem.storage.of('SM').size, 1);
});

test('another SMS that has taken its place stays', async (t) => {
  const { modem, folder } = await GammuSetup.make(t);
  modem.deliver({ from: 'bKash', text: 'Tk 1' });
  const runtime = { clock: nodeClock, log: new MemoryLog(), slot: 1 };
  const stuck = new StuckSms(join(folder, '..', 'tty'), new Unreadable(folder), runtime);
  const isDue = [1, 2, 3].map(() => stuck.note({ memory: 'SM', place: 1, pdu: CUT }));
  t.deepEqual(isDue, [false, false, true]);
  await stuck.clear();
  t.true(modem.commands.includes('AT+CMGR=1'));
  t.is(modem.storage.of('SM').size, 1);
});

test('a port is left as it was found: no file stays open, and a silent modem is abandoned', async (t) => {
  const { modem, folder } = await GammuSetup.make(t);
  const device = join(folder, '..', 'tty');
  const tty = await realpath(device);
  // Of this port alone: other tests run beside this one, in this process.
  const opened = async () => {
    const files = await readdir('/proc/self/fd');
    const links = files.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''));
    return (await Promise.all(links)).filter((link) => link === tty).length;
  };
  const before = await opened();
  t.is(before, 1, 'the played modem holds it itself');
  for (let index = 0; index < 3; index += 1) {
    const port = await AtPort.open(device, nodeClock, 2000);
    t.deepEqual(await port.command('AT+CSQ'), ['+CSQ: 20,99']);
    await t.throwsAsync(port.command('AT+NONSENSE'), { message: 'ERROR' });
    await port.close();
  }
  modem.onCommand = () => 'silent';
  await t.throwsAsync(AtPort.open(device, nodeClock, 100), { message: 'no answer' });
  await t.throwsAsync(AtPort.open('/dev/null', nodeClock, 100), { message: 'it is no serial port' });
  await until('all are closed', async () => (await opened()) === before, 5000);
  await modem.unplug();
  await t.throwsAsync(AtPort.open(device, nodeClock, 100), { code: 'ENOENT' });
});
