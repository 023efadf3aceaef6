/** Formats advice about the program that a shop runs, and warnings about settings that do not fit it. */
import type { BrandView } from '../../actions/brands/brand-view.js';
import { wrap } from '../../base/values/cells.js';
import { quoted } from '../../base/values/text.js';
import { bindingText, findPlugin, isRisky, NO_PLUGIN, PLUGIN_NAMES } from '../../domain/plugins/plugins.js';

/** Text for the description of each command with `--plugin`. */
export const PLUGIN_HELP = `Programs for --plugin: ${PLUGIN_NAMES.join(', ')}; ${NO_PLUGIN} removes it.`;

/** @returns how to lead the program here, and its oddities; nothing where none was named. */
export function pluginLines(name: string | null | undefined, width: number): string[] {
  const plugin = findPlugin(name ?? null);
  if (plugin === null) return [];
  const plain = (text: string) => text.replaceAll('`', '');
  return [
    '',
    `${plugin.title}. To point it to Kashbox, with your own address instead of https://pay.example.com:`,
    // A command must stay on one line.
    `  ${plain(plugin.host)}`,
    ...wrap(bindingText(plugin), width),
    ...(plugin.remarks === '' ? [] : wrap(`Mind: ${plain(plugin.remarks)}`, width)),
  ];
}

/** @returns a warning of settings with which some programs take unpaid orders for paid; null without them. */
export function riskText({ name, dialect, webhook_format: format }: BrandView): string | null {
  if (!isRisky(dialect, format)) return null;
  return (
    'Most programs that read forms are written in PHP, and some treat an unpaid payment with ' +
    `"status":true as paid. Use the flat dialect: kashbox brands update ${quoted(name)} --dialect flat, ` +
    'or name the program with --plugin.'
  );
}
