/** Common parts of the routes that serve pages for customers. */
import { Type } from '@sinclair/typebox';
import { StringEnum } from './fields.js';
import { content } from './operation.js';

export const PageQuery = Type.Object({
  lang: Type.Optional(
    StringEnum(['bn', 'en'], 'Language of the page; default: the language of the browser.'),
  ),
});

export const pageThat = (what: string) => content(what, 'text/html');
