/** Checks whether the settings of brands fit the programs that call them. */

import { say } from '../../base/values/say.js';
import { quoted } from '../../base/values/text.js';
import { bindingText, isRisky, pluginOf } from '../../domain/plugins/plugins.js';
import { listedBrands } from '../../store/tables/brands.js';
import { callerAdvice } from '../access/note-caller.js';
import type { Core } from '../core/core.js';
import { type Finding, ok, warn } from './check.js';

/** @returns nothing where all is well: most brands are called by a program of their own. */
export async function checkPrograms(core: Core): Promise<Finding[]> {
  const brands = await core.store.read((db) => listedBrands(db, null));
  return brands.flatMap((brand) => {
    const name = `brand ${brand.name}`;
    const advice = callerAdvice(brand.name, brand);
    if (advice !== null) return [warn(name, advice.message, advice.remedy)];
    if (!isRisky(brand.dialect, brand.webhook_format)) return boundBy(name, brand.plugin);
    const message = say`it is notified by form, but verify answers it in the dialect standard: some programs in PHP take that for paid when nothing is`;
    const remedy = say`Answer it flat, or name its program by --plugin: kashbox brands update ${quoted(brand.name)} --dialect flat`;
    return [warn(name, message, remedy)];
  });
}

/** Of a program that does not look itself for which order an id was. */
function boundBy(name: string, program: string | null): Finding[] {
  const plugin = pluginOf(program);
  if (plugin === null || plugin.binds === 'program') return [];
  return [ok(name, `its program is ${program}. ${bindingText(plugin)} See docs/plugins.md`)];
}
