/**
 * The page's templates, read and compiled once at start. They escape whatever they print; `<%~ %>`, which
 * does not, stands only around what another template has made and around the style.
 */
import { Eta } from 'eta/core';
import { readBuilt } from './built.js';
import type { TemplateContexts } from './contexts.js';

/** Those of TemplateContexts and the parts that they include. */
const NAMES = [
  'document',
  'checkout',
  'notice',
  'status',
  'back',
  'ways',
  'way',
  'bank',
  'field',
  'copy',
  'code',
  'help',
];

const eta = new Eta({ autoTrim: false });
for (const name of NAMES) {
  eta.loadTemplate(`@${name}`, withoutIndent(readBuilt(`templates/${name}.eta`).toString('utf8')));
}

/** Half of a template is the white space by which people read it. Line breaks stay: they part words. */
function withoutIndent(template: string): string {
  return template.replace(/\n\s+/g, '\n');
}

/** @returns HTML. */
export function render<Name extends keyof TemplateContexts>(
  name: Name,
  context: TemplateContexts[Name],
): string {
  return eta.render(`@${name}`, context);
}
