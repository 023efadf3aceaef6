/** SVG as logos: drawings as editors write them are kept, and whatever could do more is refused by name. */
import test from 'ava';
import fc from 'fast-check';
import { readLogo } from '../../../src/domain/brands/logo.js';
import { SVG_LOGO, svgOf } from '../../helpers/shop/logos.js';

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';

function read(text: string): string {
  const logo = readLogo(Buffer.from(text));
  return logo.ok ? logo.content.toString('utf8') : `${logo.fault}. ${logo.advice}`;
}

/** What people try, each with what the refusal names: from lists of attacks on places that take pictures. */
const HOSTILE: readonly [svg: string, named: RegExp][] = [
  [svgOf('<script>alert(1)</script>'), /holds <script>/],
  [svgOf('<script href="https://evil.example/x.js"/>'), /<script>/],
  [svgOf('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'), /<script>/],
  [svgOf('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>'), /<h:script>/],
  [svgOf('<rect/>', 'viewBox="0 0 9 9" onload="alert(1)"'), /"onload"/],
  [svgOf('<g onclick="alert(1)"/>'), /"onclick"/],
  [svgOf('<rect ONLOAD="none"/>'), /"ONLOAD"/],
  [svgOf('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'), /<foreignObject>/],
  [svgOf('<use href="https://evil.example/a.svg#x"/>'), /<use>/],
  [svgOf(`<use ${XLINK} xlink:href="data:image/svg+xml;base64,PHN2Zz4=#x"/>`), /<use>/],
  [svgOf('<g id="a"/><use href="#a"/>'), /<use>/],
  [svgOf('<style>@import url(https://evil.example/a.css);</style>'), /<style>/],
  [svgOf('<rect style="fill:url(https://evil.example/a)"/>'), /"style"/],
  [svgOf('<rect style="fill:u\\72l(//evil.example)"/>'), /"style"/],
  [svgOf('<rect style="background:none;behavior:x/**/y"/>'), /"style"/],
  [svgOf('<rect style="background-image:image-set(x)"/>'), /"background-image"/],
  [svgOf('<rect fill="url(https://evil.example/a#b)"/>'), /"fill" with a value/],
  [svgOf('<rect fill="url(//evil.example#b)"/>'), /"fill" with a value/],
  [svgOf('<rect filter="url(#f)"/>'), /"filter"/],
  [svgOf('<rect mask="url(#f)"/>'), /"mask"/],
  [svgOf('<image href="https://evil.example/pixel.png"/>'), /<image>/],
  [svgOf('<image href="data:image/png;base64,AAAA"/>'), /<image>/],
  [svgOf(`<a ${XLINK} xlink:href="javascript:alert(1)"><rect/></a>`), /<a>/],
  [svgOf('<a href="&#106;avascript:alert(1)"><rect/></a>'), /<a>/],
  [svgOf('<linearGradient href="javascript:alert(1)"/>'), /a link \("href"\)/],
  [svgOf(`<radialGradient ${XLINK} xlink:href="https://evil.example/#a"/>`), /a link \("xlink:href"\)/],
  [svgOf('<rect href="#a"/>'), /a link/],
  [svgOf('<rect><animate attributeName="href" values="javascript:alert(1)"/></rect>'), /<animate>/],
  [svgOf('<set attributeName="onmouseover" to="alert(1)"/>'), /<set>/],
  [svgOf('<rect/>', 'viewBox="0 0 9 9" xml:base="https://evil.example/"'), /"xml:base"/],
  [svgOf('<iframe xmlns="http://www.w3.org/1999/xhtml" src="x"/>'), /<iframe>/],
  [svgOf('<text>Alo</text>'), /<text>.*all text as paths/],
  [svgOf('<filter><feImage href="https://evil.example/x"/></filter>'), /<filter>/],
  [svgOf('<pattern/>'), /<pattern>/],
  [svgOf('<marker/>'), /<marker>/],
  [svgOf('<svg/>'), /<svg>/],
  [svgOf('<handler type="application/ecmascript">alert(1)</handler>'), /<handler>/],
  [svgOf('<RECT/>'), /<RECT>/],
  [svgOf('Alo Store'), /holds text/],
  [svgOf('<![CDATA[<script>alert(1)</script>]]>'), /holds text/],
  [`<?xml-stylesheet href="https://evil.example/x.css"?>${SVG_LOGO}`, /<\?xml-stylesheet\?>/],
  [`<?xml version="1.0" encoding="UTF-7"?>${SVG_LOGO}`, /<\?xml\?> of another encoding/],
  [`<!DOCTYPE svg SYSTEM "https://evil.example/x.dtd">${SVG_LOGO}`, /<!DOCTYPE>/],
  [
    `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]>${svgOf('<g>&c;</g>')}`,
    /<!DOCTYPE>/,
  ],
  [`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svgOf('<g>&x;</g>')}`, /<!DOCTYPE>/],
  [svgOf('<clipPath id="a"><path clip-path="url(#b)"/></clipPath>'), /a clip in a clip/],
  [svgOf('<clipPath id="a" clip-path="url(#b)"/>'), /a clip in a clip/],
  [svgOf('<path stroke-dasharray=".00001" d="M0 0L999999 0"/>'), /"stroke-dasharray"/],
  [svgOf('<g>'.repeat(50) + '</g>'.repeat(50)), /too many elements/],
  [svgOf('<g/>'.repeat(3_000)), /too many elements/],
];

test('hostile drawings are refused by what they hold, with what to do', (t) => {
  for (const [svg, named] of HOSTILE) {
    const said = read(svg);
    t.regex(said, named, svg);
    t.regex(said, /\. Export it as plain SVG, with all text as paths, or save it as PNG\.$/, svg);
  }
});

test('what is no well-formed XML, or no SVG, is refused', (t) => {
  const broken = [
    [svgOf('<rect>'), /no well-formed XML|no end/],
    ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect', /line 1 is no well-formed XML/],
    [svgOf('<rect fill=red/>'), /line 1 is no well-formed XML/],
    [svgOf('&c;'), /line 1 is no well-formed XML/],
    [svgOf('<g><rect></g></rect>'), /line 1 is no well-formed XML/],
    [svgOf('<evil:rect/>'), /line 1 is no well-formed XML/],
    [`${SVG_LOGO}${SVG_LOGO}`, /damaged|well-formed/],
    [`${SVG_LOGO}<script>alert(1)</script>`, /damaged|well-formed|<script>/],
    ['<html xmlns="http://www.w3.org/1999/xhtml"><script>1</script></html>', /it is no SVG/],
    ['<svg viewBox="0 0 9 9"/>', /it is no SVG/],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', /is an SVG without a size/],
    [svgOf('', 'viewBox="0 0 0 9"'), /without a size/],
    [svgOf('', 'width="100%" height="100%"'), /without a size/],
    [svgOf('', 'viewBox="0 0 900 9"'), /too long or too narrow/],
    [svgOf('', 'viewBox="0 0 1e9 1e9"'), /without a size/],
  ] as const;
  for (const [svg, said] of broken) t.regex(read(svg), said, svg);
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(SVG_LOGO, 'utf16le')]);
  t.false(readLogo(utf16).ok);
});

test('a drawing is written again: remarks, comments and what belongs to an editor are left out', (t) => {
  const inkscape =
    '\ufeff<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Created with Inkscape -->\n' +
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" ' +
    `${XLINK} version="1.1" id="svg5" width="48px" height="24px" viewBox="0 0 48 24" inkscape:version="1.2">\n` +
    '<title>Alo <b xmlns="">Store</b></title><metadata><rdf:RDF xmlns:rdf="urn:x"><x/></rdf:RDF></metadata>' +
    '<defs><linearGradient id="a" gradientUnits="userSpaceOnUse" x2="9" y2="9">' +
    '<stop offset="0" style="stop-color:#00aa77;stop-opacity:1"/><stop offset="100%" stop-color="#fff"/>' +
    '</linearGradient><linearGradient id="b" xlink:href="#a"/></defs>\n' +
    '<g inkscape:label="Layer 1" transform="translate(1,2) scale(-1 .5)" font-family="Arial" class="x">' +
    '<path style="fill:url(#b);stroke:none;-inkscape-stroke:none;mix-blend-mode:normal" ' +
    'd="M1.5,2 L3-4e1z" stroke-dasharray="none"/></g></svg>';
  t.is(
    read(inkscape),
    '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="128" viewBox="0 0 48 24"><defs>' +
      '<linearGradient id="a" gradientUnits="userSpaceOnUse" x2="9" y2="9">' +
      '<stop offset="0" stop-color="#00aa77" stop-opacity="1"/><stop offset="100%" stop-color="#fff"/>' +
      '</linearGradient><linearGradient id="b" href="#a"/></defs><g transform="translate(1,2) scale(-1 .5)">' +
      '<path fill="url(#b)" stroke="none" d="M1.5,2 L3-4e1z"/></g></svg>',
  );
  t.is(
    read('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><g/></svg>'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="128" viewBox="0 0 20 10"><g/></svg>',
  );
  t.is(read(read(inkscape)), read(inkscape), 'what was written is taken, and stays as it is');
});

test('a prefix for SVG is written as none, and escapes stay escapes', (t) => {
  const prefixed = '<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><s:g id="a"/></s:svg>';
  t.regex(read(prefixed), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 9 9" .*><g id="a"\/>/);
  t.is(read(svgOf('<g fill="&quot;&gt;&lt;script&gt;"/>')).includes('<script'), false);
});

test('whatever is put in, what comes out holds nothing but drawings', (t) => {
  const names = fc.constantFrom(
    'g',
    'path',
    'rect',
    'script',
    'title',
    'a',
    'use',
    'style',
    'clipPath',
    'x:y',
  );
  const keys = fc.constantFrom(
    'd',
    'fill',
    'style',
    'href',
    'onload',
    'id',
    'transform',
    'xlink:href',
    'class',
  );
  const values = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('url(#a)', 'url(//x)', 'javascript:1', '#a', 'fill:red;filter:url(#x)', 'M0 0', 'none'),
  );
  const inXml = (text: string) => text.replace(/[&<"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const element = fc
    .tuple(names, fc.dictionary(keys, values, { maxKeys: 3 }), fc.constantFrom('', '<g/>', 'text', '<a/>'))
    .map(([name, given, inner]) => {
      const attributes = Object.entries(given).map(([key, value]) => ` ${key}="${inXml(value)}"`);
      return `<${name}${attributes.join('')}>${inner}</${name}>`;
    });
  const svg = fc
    .array(element, { maxLength: 4 })
    .map((parts) => svgOf(parts.join(''), `${XLINK} viewBox="0 0 9 9"`));
  const SAFE =
    /^<svg [^<>]*>(?:<\/?(?:g|path|rect|clipPath)(?: (?:d|fill|href|id|transform|stroke|clip-path)="[^"<>]*")*\/?>)*<\/svg>$|^<svg [^<>]*\/>$/;
  let taken = 0;
  fc.assert(
    fc.property(svg, (text) => {
      const logo = readLogo(Buffer.from(text));
      if (!logo.ok) return true;
      taken += 1;
      const written = logo.content.toString('utf8');
      return SAFE.test(written) && !/script|javascript|\/\/x|onload/.test(written);
    }),
    { numRuns: 2_000 },
  );
  t.true(taken > 50, `${taken} were taken`);
});
