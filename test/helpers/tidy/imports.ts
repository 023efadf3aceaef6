/**
 * The rules about who may import whom, as pure functions of one file's text: the layers, the rooms of heavy
 * packages, and the wall between the two packages. docs/architecture.md tells the same to people.
 */
import { posix } from 'node:path';
import ts from 'typescript-classic';
import { at, type Source } from './source.js';

interface Import {
  readonly specifier: string;
  /** True for `import()` at run time, which costs nothing until it is reached. */
  readonly dynamic: boolean;
  readonly where: string;
}

interface Layer {
  readonly folder: string;
  readonly may: readonly string[];
}

const core = ['base', 'config', 'domain'];
const parts = [...core, 'channels', 'store', 'notify'];
const faces = [...parts, 'actions'];

/** Lowest first. A layer may import itself and those that it names; its neighbours are strangers. */
const LAYERS: Readonly<Record<string, Layer>> = {
  base: { folder: 'src/base/', may: [] },
  config: { folder: 'src/config/', may: ['base'] },
  domain: { folder: 'src/domain/', may: ['base'] },
  channels: { folder: 'src/channels/', may: core },
  store: { folder: 'src/store/', may: core },
  notify: { folder: 'src/notify/', may: core },
  actions: { folder: 'src/actions/', may: parts },
  cli: { folder: 'src/cli/', may: faces },
  monitor: { folder: 'src/monitor/', may: faces },
  demo: { folder: 'src/demo/', may: [...faces, 'cli'] },
  daemon: { folder: 'daemon/', may: faces },
  commands: { folder: 'commands/', may: [...faces, 'cli', 'demo'] },
};

/** What a command loads only when it runs, so that every other command starts fast. */
const ONLY_DYNAMIC_FROM_COMMANDS = ['daemon', 'monitor'];

/** Heavy packages and the place (a path's beginning) that imports each; "@x/" means the whole scope. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'node:sqlite': ['src/store/sqlite-driver.ts', 'src/store/backup/'],
  pg: ['src/store/'],
  fastify: ['daemon/'],
  '@fastify/': ['daemon/'],
  qs: ['daemon/'],
  inquirer: ['src/cli/'],
  '@inquirer/': ['src/cli/'],
  qrcode: ['src/cli/', 'daemon/http/routes/pictures'],
  eta: ['daemon/checkout/', 'daemon/http/reference/'],
  esbuild: ['bin/checkout-assets', 'bin/program-bundle', 'bin/relay-bundle'],
  lowdb: ['src/config/home', 'src/config/contexts'],
  'node-cron': ['daemon/loops/jobs'],
  'prom-client': ['daemon/metrics'],
  ethers: ['src/channels/bep20/address'],
  blessed: ['src/monitor/terminal-screen'],
  'libphonenumber-js': ['src/domain/dispatches/dispatch-text'],
  'sms-segments-calculator': ['src/domain/dispatches/dispatch-text'],
  'image-size': ['src/domain/brands/picture'],
  pngjs: ['src/channels/qr-interbank/image'],
  'zxing-wasm': ['src/channels/qr-interbank/image'],
  got: ['src/notify/', 'src/channels/http'],
  nodemailer: ['src/notify/send-mail'],
  'tar-stream': ['src/base/io/tar'],
  'age-encryption': ['src/base/io/passphrase'],
};

/** Runs daemons and agents in one process. */
const SIMULATOR = 'test/simulator/';
const RELAY = 'relay-android-ts/';
const PLAYED = `${RELAY}test/helpers/`;
const OUTSIDE = 'test/helpers/outside/';

/** Every import, re-export, `import()` and `require()` of a file whose target is written out. */
export function importsOf(file: Source): Import[] {
  const found: Import[] = [];
  const note = (node: ts.Node, target: ts.Node | undefined, dynamic: boolean) => {
    if (target === undefined || !ts.isStringLiteralLike(target)) return;
    found.push({ specifier: target.text, dynamic, where: at(file, node) });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) note(node, node.moduleSpecifier, false);
    if (ts.isExternalModuleReference(node)) note(node, node.expression, false);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      note(node, node.argument.literal, false);
    if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) note(node, node.arguments[0], true);
      if (node.expression.getText() === 'require') note(node, node.arguments[0], false);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return found;
}

/** The path inside the repository that a relative import names, or undefined for a package. */
export function localTarget(file: Source, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : undefined;
}

function layerOf(path: string): string | undefined {
  return Object.keys(LAYERS).find((name) => path.startsWith(LAYERS[name]?.folder ?? name));
}

function mayImport(from: string, to: string, dynamic: boolean): boolean {
  if (from === to || LAYERS[from]?.may.includes(to) === true) return true;
  return from === 'commands' && dynamic && ONLY_DYNAMIC_FROM_COMMANDS.includes(to);
}

/** Imports only go down; what is under src belongs to a layer. */
export function checkLayers(file: Source): string[] {
  const from = layerOf(file.path);
  if (from === undefined) return file.path.startsWith('src/') ? [`${file.path} belongs to no layer`] : [];
  const problems: string[] = [];
  for (const { specifier, dynamic, where } of importsOf(file)) {
    const target = localTarget(file, specifier);
    if (target === undefined) continue;
    const to = layerOf(target);
    if (to === undefined) problems.push(`${where} imports ${target}, which belongs to no layer`);
    else if (!mayImport(from, to, dynamic))
      problems.push(`${where} imports ${target}: ${from} must not import ${to}`);
  }
  return problems;
}

/**
 * A heavy package is imported in its room only. Tests, benchmarks and the relay agent are outside of
 * this.
 */
export function checkRooms(file: Source): string[] {
  if (!/^(src|commands|daemon|bin)\//.test(file.path)) return [];
  return importsOf(file).flatMap(({ specifier, where }) => {
    const heavy = Object.keys(ROOMS).find((name) =>
      name.endsWith('/')
        ? specifier.startsWith(name)
        : specifier === name || specifier.startsWith(`${name}/`),
    );
    const rooms = heavy === undefined ? undefined : ROOMS[heavy];
    if (rooms === undefined || rooms.some((room) => file.path.startsWith(room))) return [];
    return [`${where} imports ${specifier} outside its room, ${rooms.join(' or ')}`];
  });
}

/**
 * The relay agent is its own package: it and the rest meet over HTTPS and nowhere else. Only the outside
 * world of the program's tests may be what the agent's tests play: one scripted modem is enough.
 */
export function checkWall(file: Source): string[] {
  if (file.path.startsWith(SIMULATOR)) return [];
  const inside = file.path.startsWith(RELAY);
  const other = inside ? 'kashbox' : 'kashbox-relay';
  return importsOf(file).flatMap(({ specifier, where }) => {
    const target = localTarget(file, specifier);
    if (file.path.startsWith(OUTSIDE) && target?.startsWith(PLAYED)) return [];
    const crosses =
      target === undefined
        ? specifier === other || specifier.startsWith(`${other}/`)
        : target.startsWith(RELAY) !== inside;
    return crosses ? [`${where} imports ${specifier} across the wall between kashbox and kashbox-relay`] : [];
  });
}
