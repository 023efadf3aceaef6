/** The table of other people's shop programs, and what is concluded from it. */
import test from 'ava';
import { FORM_EVENTS, NOTIFICATION_EVENTS } from '../../../src/domain/notifications/notification.js';
import { CALL_SIGNS } from '../../../src/domain/plugins/plugin-table.js';
import {
  checkPluginFit,
  findPlugin,
  isNotified,
  isRisky,
  NO_PLUGIN,
  PLUGIN_NAMES,
  PLUGINS,
  parseSigns,
  pluginsCalling,
  withSigns,
} from '../../../src/domain/plugins/plugins.js';

test('every row says what the program is, how it is led here and what was tried', (t) => {
  t.true(PLUGIN_NAMES.length >= 14);
  t.is(NO_PLUGIN, 'none');
  for (const name of PLUGIN_NAMES) {
    const { title, source, host, tried } = PLUGINS[name];
    t.regex(name, /^[a-z]+(-[a-z]+)*$/);
    t.not(name, NO_PLUGIN);
    for (const text of [title, source, host, tried]) t.true(text.length > 10, `${name}: ${text}`);
  }
});

test('every program that is recognised by its requests reads the record at the top of verify', (t) => {
  for (const name of PLUGIN_NAMES) {
    const { signs, dialect } = PLUGINS[name];
    t.is(dialect, signs.length > 0 ? 'flat' : 'standard', name);
  }
});

test('a form receiver is never combined with a dialect in which PHP takes true for paid', (t) => {
  for (const name of PLUGIN_NAMES) t.false(isRisky(PLUGINS[name].dialect, PLUGINS[name].webhookFormat), name);
  t.true(isRisky('standard', 'form'));
  t.false(isRisky('standard', 'json') || isRisky('strict', 'form') || isRisky('flat', 'form'));
});

test('a program receives the events of its row, every other brand all of them', (t) => {
  const heard = (plugin: string | null) =>
    NOTIFICATION_EVENTS.filter((event) =>
      isNotified(plugin, findPlugin(plugin)?.webhookFormat ?? 'json', event),
    );
  t.deepEqual(heard('sohojpay-whmcs'), ['payment.completed']);
  t.deepEqual(heard('sohojpay-woocommerce'), ['payment.completed', 'payment.pending']);
  t.deepEqual(heard('turbopay-woocommerce'), []);
  t.deepEqual(heard('nagorikpay'), [...FORM_EVENTS]);
  t.deepEqual(heard(null), [...NOTIFICATION_EVENTS]);
  t.is(findPlugin('of-a-later-version'), null);
  t.deepEqual(heard('of-a-later-version'), [...NOTIFICATION_EVENTS]);
});

test('signs are stored once, in a fixed order, and unknown signs are ignored', (t) => {
  t.is(withSigns('', ['X-API-KEY']), 'X-API-KEY');
  t.is(withSigns('X-API-KEY', ['fullname', 'API-KEY', 'X-API-KEY']), 'API-KEY X-API-KEY fullname');
  t.is(withSigns('of-a-later-version API-KEY', []), 'API-KEY');
  t.deepEqual(parseSigns(withSigns('', CALL_SIGNS)), CALL_SIGNS);
  t.deepEqual(parseSigns(''), []);
});

test('programs are found by their signs', (t) => {
  const found = pluginsCalling(['SOHOJPAY-API-KEY']);
  t.true(found.length === 5 && found.every((name) => name.startsWith('sohojpay-')));
  t.true(pluginsCalling(['fullname']).every((name) => name.startsWith('rupantorpay-')));
  t.deepEqual(pluginsCalling([]), []);
});

test('names the mismatch: the dialect, or another program than configured', (t) => {
  const judged = (
    dialect: 'standard' | 'strict' | 'flat',
    plugin: string | null,
    ...signs: ('API-KEY' | 'X-API-KEY')[]
  ) => checkPluginFit({ dialect, plugin }, signs);
  t.is(judged('standard', null), 'fits');
  t.is(judged('standard', null, 'API-KEY'), 'dialect');
  t.is(judged('standard', 'openapi', 'API-KEY'), 'dialect');
  t.is(judged('strict', null, 'API-KEY'), 'fits');
  t.is(judged('flat', null, 'API-KEY'), 'fits');
  t.is(judged('flat', 'nagorikpay', 'API-KEY', 'X-API-KEY'), 'fits');
  t.is(judged('flat', 'nagorikpay', 'X-API-KEY'), 'program');
  t.is(judged('flat', 'drutopay-smm', 'API-KEY'), 'fits', 'one of its signs is enough');
  t.is(judged('flat', 'openapi', 'X-API-KEY'), 'fits', 'a program without signs cannot be recognised');
});
