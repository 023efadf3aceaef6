/** `kashbox-relay install` and `uninstall`: on a phone or on a computer with GSM modems. */
import {
  type ComputerOptions,
  installOnComputer,
  isOnComputer,
  uninstallFromComputer,
} from './modem-install.js';
import { installOnPhone, type PhoneOptions, uninstallFromPhone } from './termux-install.js';

export interface InstallOptions extends PhoneOptions, ComputerOptions {
  /** On a computer; said by `--modems`, too. */
  readonly modem?: boolean;
}

/** @param link what the QR code holds, if it is not paired yet */
export function install(link: string | undefined, options: InstallOptions): Promise<string> {
  const isComputer = options.modem === true || options.modems !== undefined;
  return isComputer ? installOnComputer(link, options) : installOnPhone(link, options);
}

/** Without `--modem` it is seen which kind is installed. */
export function uninstall(options: InstallOptions): Promise<string> {
  const isComputer = options.modem === true || isOnComputer(options.root);
  return isComputer ? uninstallFromComputer(options) : uninstallFromPhone(options);
}
