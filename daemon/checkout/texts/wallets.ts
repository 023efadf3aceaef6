/** What a customer reads of each wallet, in one language: its name, and what to choose in its app. */
import type { MfsChannel } from '../../../src/domain/accounts/channels.js';
import { ofEachWallet } from '../../../src/domain/wallets/index.js';
import type { Language } from '../page.js';
import type { WalletTexts } from './texts.js';

export function walletTexts(language: Language): Readonly<Record<MfsChannel, WalletTexts>> {
  return ofEachWallet(({ name, checkout }) => {
    const { payment, personal, agent } = checkout.services;
    const services = { payment: payment[language], personal: personal[language], agent: agent[language] };
    return { name: name[language], services };
  });
}
