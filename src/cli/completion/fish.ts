/** The script with which fish completes commands. It asks no program and no store: all words stand in it. */
import {
  type CompletedCommand,
  type CompletedFlag,
  commandsByTopic,
  firstWords,
  secondWord,
} from './commands.js';

const line = (condition: string, rest: string) => `complete -c kashbox -n '${condition}' ${rest}`;

function flagLine(command: CompletedCommand, { name, about, takes, values }: CompletedFlag): string {
  const value = takes === 'nothing' ? '' : takes === 'file' ? ' -r -F' : ` -x -a '${values.join(' ')}'`;
  return line(`__kashbox_is ${command.name}`, `-l ${name}${value} -d '${about}'`);
}

export function fishCompletion(commands: readonly CompletedCommand[]): string {
  return [
    '# Completes kashbox in fish. Made by: kashbox completion fish',
    '# The words before the cursor, without kashbox; behind help stands a command.',
    'function __kashbox_typed',
    '  set -l typed (commandline -opc)',
    '  set -e typed[1]',
    '  if test (count $typed) -gt 0; and test "$typed[1]" = help; set -e typed[1]; end',
    '  if test (count $typed) -gt 0; printf "%s\\n" $typed; end',
    'end',
    'function __kashbox_is',
    '  set -l typed (__kashbox_typed)',
    '  test (count $typed) -ge (count $argv); or return 1',
    '  for at in (seq (count $argv)); test "$typed[$at]" = "$argv[$at]"; or return 1; end',
    'end',
    'function __kashbox_is_only',
    '  set -l typed (__kashbox_typed)',
    '  test (count $typed) -eq (count $argv); or return 1',
    '  test (count $argv) -eq 0; or __kashbox_is $argv',
    'end',
    'complete -c kashbox -f',
    ...firstWords(commands).map(({ word, about }) => line('__kashbox_is_only', `-a ${word} -d '${about}'`)),
    ...[...commandsByTopic(commands)].flatMap(([topic, own]) =>
      own.map((one) => line(`__kashbox_is_only ${topic}`, `-a ${secondWord(one)} -d '${one.about}'`)),
    ),
    ...commands.flatMap((command) => [
      ...command.flags.map((flag) => flagLine(command, flag)),
      ...(command.values.length === 0
        ? []
        : [line(`__kashbox_is_only ${command.name}`, `-a '${command.values.join(' ')}'`)]),
    ]),
    '',
  ].join('\n');
}
