/** `kashbox version` */
import { command } from '../src/cli/command/define.js';

export default command({
  summary: 'Show version and environment.',
  description: '"kashbox --version" and "kashbox -v" show the same line.',
  examples: ['$', '$ --json'],
  async run({ cli, flags }) {
    const { version, platform, arch, userAgent } = cli.config;
    const about = { version, platform, arch, node: process.versions.node };
    cli.show(about, flags, () => [userAgent]);
  },
});
