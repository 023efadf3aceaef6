/** Hook that oclif calls for an unknown command: reports it and suggests the nearest one. */
import type { Hook } from '@oclif/core';
import { reportFailure, unknownCommand } from './failure.js';

const hook: Hook<'command_not_found'> = async ({ id, argv = [], config }) => {
  // A flag that stands alone is the whole of what was typed.
  reportFailure(unknownCommand(id, config.commandIDs), id.startsWith('-') ? [id, ...argv] : argv);
  process.exitCode = 2;
};

export default hook;
