/** What is wrong with a shop's webhook, from one attempt to notify it. Knows nothing of what was sent. */
import type { AttemptView, PingResult } from '../../actions/notifications/notifications.js';
import { msg, type Text } from '../../base/values/msg.js';
import { quoted } from '../../base/values/text.js';

/** Notification attempt to explain. */
type Attempted = Pick<PingResult, 'brand' | 'redirect'> & {
  readonly attempt: Pick<AttemptView, 'outcome' | 'status' | 'detail' | 'answer'>;
};

/** Answer of WooCommerce to a name under `wc-api` that no active plugin has. */
const WITHOUT_PLUGIN = '-1';

/** @returns the fault and its remedy; null if the shop took the notification. */
export function webhookFault({ attempt, redirect, brand }: Attempted): Text | null {
  const { outcome, detail, answer } = attempt;
  switch (outcome) {
    case 'delivered':
      return pageFault(answer ?? '');
    case 'refused':
      return answerFault(attempt, redirect);
    case 'timeout':
      return msg`The shop's server did not answer: ${detail}. Check that no firewall drops calls of this server, and that the shop answers 200 first and does its work afterwards.`;
    case 'unreachable':
      return msg`The shop's server cannot be reached: ${detail}. Check how the address is written, its DNS record, and that a web server runs there.`;
    case 'tls':
      return msg`HTTPS to the shop's server fails: ${detail}. Give it a valid certificate for this name; Kashbox always checks it.`;
    case 'blocked':
      return msg`Kashbox does not call this address: ${detail}. Set a public one: kashbox brands update ${quoted(brand)} --webhook-url URL`;
    case 'unsigned':
      return msg`The webhook secret of this brand cannot be decrypted. Restore the secret.key of this store, or create a new secret: kashbox webhooks rotate.`;
    default:
      return outcome satisfies never;
  }
}

const LOGIN = /wp-login|type=["']?password|<title>[^<]*(log ?in|sign ?in)/i;
const LOGIN_PATH = /log-?in|sign-?in/i;

/** A page that is shown to people takes no notification, although it answers 200. */
function pageFault(answer: string): Text | null {
  if (!/^\s*(<!doctype html|<html)/i.test(answer)) return null;
  if (LOGIN.test(answer)) return loginFault(msg`a login page`);
  return msg`The address answered 200 with a web page and took no notification. Activate the plugin of the shop, or correct the address.`;
}

const loginFault = (where: Text): Text =>
  msg`The address needs a login: it leads to ${where}. Let Kashbox call it without one, also while the shop is in maintenance.`;

function answerFault({ status, detail, answer }: Attempted['attempt'], redirect: string | null): Text {
  if (status === null) {
    return msg`The shop's server does not answer as a web server: ${detail}. Check the port of the address.`;
  }
  if (status >= 300 && status < 400) {
    if (redirect !== null && LOGIN_PATH.test(redirect)) return loginFault(redirect);
    return msg`The address redirects to ${redirect ?? msg`another one`}, and redirects are not followed. Set the address at which the shop answers itself: https or http, with or without www.`;
  }
  if (status === 400 && answer === WITHOUT_PLUGIN) {
    return msg`WooCommerce answered, but the Kashbox plugin is not active. Activate it in WordPress under Plugins.`;
  }
  if (status === 401) {
    return msg`The shop answered 401: it has another webhook secret, or none yet. Paste the connection code of kashbox brands connect into it, or set the secret that the command prints.`;
  }
  if (status === 403) {
    return msg`The shop answered 403: a firewall or security plugin refuses the call. Allow POST requests of this server to the address.`;
  }
  if (status === 404 || status === 410) {
    return msg`The shop answered ${status}: nothing is at this address. Activate the plugin of the shop, save the permalinks of WordPress again, or correct the address.`;
  }
  if (status >= 500) {
    return msg`The shop answered ${status}: its program failed, or is in maintenance. See the error log of the shop.`;
  }
  return msg`The shop ${detail}. See the log of the shop for the reason.`;
}
