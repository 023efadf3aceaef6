/** The script with which zsh completes commands. It asks no program and no store: all words stand in it. */
import { type CompletedCommand, commandsByTopic, firstWords, secondWord } from './commands.js';

/** `'word:what it is'`, as `_describe` takes them. */
const described = (entries: readonly (readonly [word: string, about: string])[]) =>
  entries.map(([word, about]) => `'${word}:${about}'`).join(' ');

function valueCases(commands: readonly CompletedCommand[]): string[] {
  return commands.flatMap(({ name, flags }) =>
    flags.flatMap((flag) => {
      const pattern = `    '${name} --${flag.name}')`;
      if (flag.takes === 'nothing') return [];
      if (flag.takes === 'file') return [`${pattern} _files; return ;;`];
      return [`${pattern} compadd -- ${flag.values.join(' ')}; return ;;`];
    }),
  );
}

export function zshCompletion(commands: readonly CompletedCommand[]): string {
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
    ...valueCases(commands),
    '  esac',
    '  found=()',
    '  case $command in',
    ...commands.map(({ name, flags, values }) => {
      const all = [
        ...flags.map(({ name: flag, about }) => [`--${flag}`, about] as const),
        ['--help', 'Show help'] as const,
      ];
      const own = values.length === 0 ? '' : ` compadd -- ${values.join(' ')};`;
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
