/**
 * Generates shell completion scripts from oclif's list of commands. The scripts call no program and no store:
 * they contain all words. Pure.
 */
import type { Command } from '@oclif/core';

interface CompletedFlag {
  /** Name without leading dashes. */
  readonly name: string;
  readonly about: string;
  readonly takes: 'nothing' | 'text' | 'file';
  /** The values that there are; empty where any may be typed. */
  readonly values: readonly string[];
}

interface CompletedCommand {
  /** `payments list`, or `setup`. */
  readonly name: string;
  readonly about: string;
  readonly flags: readonly CompletedFlag[];
  /** Allowed values of the first argument; empty if any value is allowed. */
  readonly values: readonly string[];
}

/** One line, without what would end a quoted text or begin a substitution in a shell. */
function plainLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll("'", '’');
  return line.replace(/["`\\$]/g, '').trim();
}

/** Returns the first sentence only, because there is little space next to a word. */
const inShort = (text: string | undefined) => plainLine(text ?? '').replace(/[.:;] .*$|\.$/, '');

function completedCommands(commands: readonly Command.Loadable[]): CompletedCommand[] {
  return commands
    .map(({ id, summary, flags, args }) => ({
      name: id.replaceAll(':', ' '),
      about: inShort(summary),
      flags: Object.values(flags).map(flagOf),
      values: Object.values(args)[0]?.options ?? [],
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function flagOf(flag: Command.Flag.Any): CompletedFlag {
  const about = inShort(flag.description);
  if (flag.type === 'boolean') return { name: flag.name, about, takes: 'nothing', values: [] };
  const takes = flag.helpValue === 'FILE' ? 'file' : 'text';
  return { name: flag.name, about, takes, values: flag.options ?? [] };
}

/** Returns the words that can come first: commands of one word, and first words of longer commands. */
function firstWords(commands: readonly CompletedCommand[]): { word: string; about: string }[] {
  const words = new Map<string, string>();
  for (const { name, about } of commands) {
    const [first = '', second] = name.split(' ');
    if (second === undefined) words.set(first, about);
    else words.set(first, [words.get(first), second].filter((part) => part !== undefined).join(', '));
  }
  return [...words].map(([word, about]) => ({ word, about }));
}

/** The commands of two words by their first one. */
function commandsByTopic(commands: readonly CompletedCommand[]): Map<string, CompletedCommand[]> {
  const topics = new Map<string, CompletedCommand[]>();
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ');
    if (second !== undefined) topics.set(first, [...(topics.get(first) ?? []), command]);
  }
  return topics;
}

const secondWord = ({ name }: CompletedCommand) => name.slice(name.indexOf(' ') + 1);

const list = (words: readonly string[]) => words.join(' ');

/** The cases of `case "$command $before"` for flags with values, each ended as its shell wants it. */
function valueCases(
  commands: readonly CompletedCommand[],
  files: string,
  words: (values: string) => string,
): string[] {
  return commands.flatMap(({ name, flags }) =>
    flags
      .filter(({ takes }) => takes !== 'nothing')
      .map((flag) => {
        const own = flag.takes === 'file' ? `${files}; return ;;` : words(list(flag.values));
        return `    '${name} --${flag.name}') ${own}`;
      }),
  );
}

function bashCompletion(commands: readonly CompletedCommand[]): string {
  const topics = [...commandsByTopic(commands)];
  return [
    '# Completes kashbox in bash. Made by: kashbox completion bash',
    '_kashbox_files() {',
    '  compopt -o filenames 2> /dev/null',
    '  mapfile -t COMPREPLY < <(compgen -f -- "$current")',
    '}',
    '_kashbox() {',
    `  local typed=("\${COMP_WORDS[@]}") at=$COMP_CWORD current before command words= flags=`,
    '  # Behind help stands a command.',
    `  if [[ $at -gt 1 && \${typed[1]} == help ]]; then typed=("\${typed[@]:1}"); at=$((at - 1)); fi`,
    `  current=\${typed[at]} before=\${typed[at - 1]}`,
    '  # --status=PENDING comes as three words.',
    `  if [[ $current == = ]]; then current=; elif [[ $before == = ]]; then before=\${typed[at - 2]}; fi`,
    `  command=\${typed[1]}`,
    '  case $command in',
    ...topics.map(([topic, own]) => {
      const verbs = list(own.map(secondWord));
      return `    ${topic}) if [[ $at -eq 2 ]]; then words='${verbs}'; fi; command="${topic} \${typed[2]}" ;;`;
    }),
    '  esac',
    `  if [[ $at -eq 1 ]]; then words='${list(firstWords(commands).map(({ word }) => word))}'; command=; fi`,
    '  case $command in',
    ...commands.map(({ name, flags, values }) => {
      const all = list([...flags.map((flag) => `--${flag.name}`), '--help']);
      const own = values.length === 0 ? '' : ` words='${list(values)}'`;
      return `    '${name}')${own} flags='${all}' ;;`;
    }),
    '  esac',
    '  case "$command $before" in',
    ...valueCases(commands, '_kashbox_files', (words) => `words='${words}'; flags='' ;;`),
    '  esac',
    '  if [[ $current == -* ]]; then words=$flags; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -F _kashbox kashbox',
    '',
  ].join('\n');
}

/** `'word:what it is'`, as `_describe` takes them. */
const described = (entries: readonly (readonly [word: string, about: string])[]) =>
  entries.map(([word, about]) => `'${word}:${about}'`).join(' ');

function zshCompletion(commands: readonly CompletedCommand[]): string {
  return [
    '#compdef kashbox',
    '# Completes kashbox in zsh. Made by: kashbox completion zsh',
    '_kashbox() {',
    '  local -a typed found',
    '  local command before',
    '  integer at',
    `  typed=("\${words[@]}") at=$CURRENT`,
    '  # Behind help stands a command.',
    '  if (( at > 2 )) && [[ $typed[2] == help ]]; then shift typed; (( at -= 1 )); fi',
    '  before=$typed[at-1]',
    `  if [[ $typed[at] == --*=* ]]; then before=\${typed[at]%%=*}; compset -P '*='; fi`,
    '  if (( at == 2 )); then',
    `    found=(${described(firstWords(commands).map(({ word, about }) => [word, about]))})`,
    "    _describe -t commands 'command' found",
    '    return',
    '  fi',
    '  command=$typed[2]',
    '  case $command in',
    ...[...commandsByTopic(commands)].flatMap(([topic, own]) => [
      `    ${topic})`,
      `      found=(${described(own.map((one) => [secondWord(one), one.about]))})`,
      "      if (( at == 3 )); then _describe -t commands 'command' found; return; fi",
      `      command="${topic} $typed[3]" ;;`,
    ]),
    '  esac',
    '  case "$command $before" in',
    ...valueCases(commands, '_files', (words) => `compadd -- ${words}; return ;;`),
    '  esac',
    '  found=()',
    '  case $command in',
    ...commands.map(({ name, flags, values }) => {
      const all = [
        ...flags.map(({ name: flag, about }) => [`--${flag}`, about] as const),
        ['--help', 'Show help'] as const,
      ];
      const own = values.length === 0 ? '' : ` compadd -- ${list(values)};`;
      return `    '${name}')${own} found=(${described(all)}) ;;`;
    }),
    '  esac',
    "  if [[ $typed[at] == -* ]]; then _describe -t flags 'flag' found; fi",
    '}',
    '# As a file of fpath it is called at once; read with eval or source it is made known.',
    'if [[ $funcstack[1] == _kashbox ]]; then _kashbox "$@"; else compdef _kashbox kashbox; fi',
    '',
  ].join('\n');
}

const line = (condition: string, rest: string) => `complete -c kashbox -n '${condition}' ${rest}`;

function flagLine(command: CompletedCommand, { name, about, takes, values }: CompletedFlag): string {
  const value = takes === 'nothing' ? '' : takes === 'file' ? ' -r -F' : ` -x -a '${list(values)}'`;
  return line(`__kashbox_is ${command.name}`, `-l ${name}${value} -d '${about}'`);
}

function fishCompletion(commands: readonly CompletedCommand[]): string {
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
        : [line(`__kashbox_is_only ${command.name}`, `-a '${list(command.values)}'`)]),
    ]),
    '',
  ].join('\n');
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export function completionScript(
  shell: (typeof SHELLS)[number],
  commands: readonly Command.Loadable[],
): string {
  return SCRIPTS[shell](completedCommands(commands));
}
