/** The script with which bash completes commands. It asks no program and no store: all words stand in it. */
import { type CompletedCommand, commandsByTopic, firstWords, secondWord } from './commands.js';

const list = (words: readonly string[]) => words.join(' ');

/** The cases of `case "$command $before"` for flags with values. */
function valueCases(commands: readonly CompletedCommand[]): string[] {
  return commands.flatMap(({ name, flags }) =>
    flags.flatMap((flag) => {
      const pattern = `    '${name} --${flag.name}')`;
      if (flag.takes === 'nothing') return [];
      if (flag.takes === 'file') return [`${pattern} _kashbox_files; return ;;`];
      return [`${pattern} words='${list(flag.values)}'; flags='' ;;`];
    }),
  );
}

export function bashCompletion(commands: readonly CompletedCommand[]): string {
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
    ...valueCases(commands),
    '  esac',
    '  if [[ $current == -* ]]; then words=$flags; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -F _kashbox kashbox',
    '',
  ].join('\n');
}
