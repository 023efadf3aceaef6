/**
 * The whole way of a decision by Telegram: an SMS with too much money, a message over HTTPS, a press, a
 * completed payment, with a real daemon that trusts the bot's certificate and writes no token into its log.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { addAlertTarget } from '../../src/actions/alerts/alert-targets.js';
import { openCore } from '../../src/actions/core/core.js';
import { issue, newAuthority } from '../helpers/network/authority.js';
import { BOT_TOKEN, openBotApi } from '../helpers/outside/bot-api.js';
import { startDaemon } from '../helpers/programs/daemon.js';
import { withinTime } from '../helpers/programs/processes.js';
import { createPayment, equipShop, newSms, relaySms, verifyPayment } from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { until } from '../helpers/until.js';

test('money that is too much is approved by a button in a chat', async (t) => {
  const home = await temporaryFolder(t);
  const authority = await newAuthority();
  const ca = join(await temporaryFolder(t), 'ca.pem');
  writeFileSync(ca, authority.cert);
  const bot = await openBotApi(t, await issue(authority, { ips: ['127.0.0.1'] }));
  const keys = await equipShop(home, {});
  const core = await openCore({ folder: home, env: {} });
  const choices = { events: 'money', buttons: true, approvers: '42' };
  await addAlertTarget(core, { target: bot.target, choices, who: 'test' });
  await core.close();
  const daemon = await startDaemon(t, { home, env: { NODE_EXTRA_CA_CERTS: ca } });

  const { id } = (await createPayment(daemon, keys)).body;
  const { sms, reference } = newSms();
  await relaySms(daemon, keys, [{ ...sms, body: sms.body.replace(/Tk [\d,.]+/, 'Tk 9,999.00') }]);
  const { status } = await verifyPayment(daemon, keys, String(id), reference);
  t.is(status, 202);
  await until(() => bot.by('sendMessage').length === 1);
  const markup = bot.by('sendMessage')[0]?.reply_markup as { inline_keyboard: { callback_data: string }[][] };
  bot.press({ data: markup.inline_keyboard[0]?.[0]?.callback_data ?? '' });
  await until(() => bot.by('editMessageText').length === 1);
  t.is((await verifyPayment(daemon, keys, String(id), reference)).status, 200);

  // A poll is under way, and must not keep the daemon from its end.
  await until(() => bot.by('getUpdates').length > 1);
  daemon.process.kill('SIGTERM');
  t.is((await withinTime(daemon.process)).code, 0);
  const log = daemon.process.stderr();
  t.true(log.includes('a button was pressed'), log);
  t.false(log.includes(BOT_TOKEN.split(':')[1] ?? ''));
});
