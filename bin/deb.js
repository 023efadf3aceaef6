/**
 * `npm run package:deb [-- FOLDER]`: builds kashbox_<version>_<arch>.deb from what npm would publish, the
 * packages with files of their own that the bundled program still needs, and a Node. Knows nothing of what
 * the program does. It needs dpkg-deb.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { fetchNode } from './install.js';
import { BESIDE } from './program-bundle.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const parts = join(root, 'bin', 'deb');
const { name, version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const run = (command, args, options = {}) => execFileSync(command, args, { encoding: 'utf8', ...options });

/** Types are not run. */
const NOT_RUN = /^(@types\/.*|type-fest)$/;

/** Copies these packages and all that they need to run. */
function copyPackages(names, target) {
  for (const one of names) {
    const from = join(root, 'node_modules', one);
    if (NOT_RUN.test(one) || existsSync(join(target, one))) continue;
    cpSync(from, join(target, one), { recursive: true });
    const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    copyPackages(Object.keys(dependencies), target);
  }
}

/** What npm would publish, without the agent for phones: the daemon serves that as one file. */
function unpackProgram(stage, program) {
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  const [command, ...first] = [...npm, 'pack', '--silent', '--ignore-scripts', '--pack-destination', stage];
  const tarball = run(command, first, { cwd: root }).trim().split('\n').at(-1);
  mkdirSync(program, { recursive: true });
  run('tar', ['-xzf', join(stage, tarball), '-C', program, '--strip-components=1']);
  rmSync(join(stage, tarball));
  rmSync(join(program, 'relay-android-ts'), { recursive: true });
}

/** Debian's own Node is older than Kashbox needs, so the package brings one. */
function copyNode(node, program) {
  cpSync(node, join(program, 'node', 'node'));
  const licence = join(dirname(node), '..', 'LICENSE');
  cpSync(licence, join(program, 'node', 'LICENSE'));
}

/** Manual pages, completion, documents and the unit: to where Debian has them. */
function placeFiles(tree, program) {
  const put = (path, content, mode = 0o644) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content, { mode });
  };
  for (const page of readdirSync(join(program, 'dist', 'man'))) {
    put(
      `usr/share/man/man1/${page}.gz`,
      gzipSync(readFileSync(join(program, 'dist', 'man', page)), { level: 9 }),
    );
  }
  const completion = (shell) =>
    run(process.execPath, [join(root, 'bin', 'run.js'), 'completion', shell], { env: { HOME: tree } });
  put('usr/share/bash-completion/completions/kashbox', completion('bash'));
  put('usr/share/zsh/vendor-completions/_kashbox', completion('zsh'));
  put('usr/share/fish/vendor_completions.d/kashbox.fish', completion('fish'));
  const documents = join(tree, 'usr/share/doc', name);
  mkdirSync(documents, { recursive: true });
  for (const one of ['docs', 'README.md', 'CHANGELOG.md', 'LICENSE']) {
    renameSync(join(program, one), join(documents, one === 'LICENSE' ? 'copyright' : one));
  }
  rmSync(join(program, 'dist', 'man'), { recursive: true });
  put('usr/lib/systemd/system/kashbox.service', readFileSync(join(root, 'docs/install/kashbox.service')));
  put('etc/default/kashbox', readFileSync(join(parts, 'default')), 0o640);
  put('usr/bin/kashbox', readFileSync(join(parts, 'kashbox')), 0o755);
}

function writeControl(tree, architecture) {
  const control = join(tree, 'DEBIAN');
  const [kib] = run('du', ['-sk', '--exclude=DEBIAN', tree]).split('\t');
  mkdirSync(control);
  const fields = {
    Package: name,
    Version: version,
    Architecture: architecture,
    Maintainer: 'Kashbox <kashbox@localhost>',
    'Installed-Size': kib,
    Depends: 'libc6 (>= 2.28), libstdc++6, adduser, util-linux',
    Section: 'web',
    Priority: 'optional',
    Description: `${description}\n Payments by mobile wallets, Bangla QR, USDT and bank transfer, confirmed by SMS\n that phones relay, by banks and by the chain.`,
  };
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}\n`);
  writeFileSync(join(control, 'control'), lines.join(''));
  writeFileSync(join(control, 'conffiles'), '/etc/default/kashbox\n');
  for (const script of ['postinst', 'prerm', 'postrm']) {
    writeFileSync(join(control, script), readFileSync(join(parts, script)), { mode: 0o755 });
  }
}

const folder = resolve(process.argv[2] ?? '.');
// Before a minute of work.
if (!existsSync(folder)) {
  console.error(`There is no folder ${folder}. Make it, then type it again: mkdir -p ${folder}`);
  process.exit(2);
}
const node = await fetchNode('Fetching');
if (node === undefined) {
  console.error(
    'There is no Node to put into the package. Make it on Linux, x64 or arm64, with the npm registry.',
  );
  process.exit(1);
}
const stage = mkdtempSync(join(tmpdir(), 'kashbox-deb-'));
try {
  const tree = join(stage, 'tree');
  const program = join(tree, 'usr/lib', name);
  unpackProgram(stage, program);
  copyPackages(Object.keys(BESIDE), join(program, 'node_modules'));
  copyNode(node, program);
  placeFiles(tree, program);
  const architecture = run('dpkg', ['--print-architecture']).trim();
  writeControl(tree, architecture);
  // Whatever the umask here was.
  run('chmod', ['-R', 'u+rwX,go+rX,go-w', tree]);
  chmodSync(join(tree, 'etc/default/kashbox'), 0o640);
  const file = join(folder, `${name}_${version}_${architecture}.deb`);
  run('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', tree, file]);
  console.log(file);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
