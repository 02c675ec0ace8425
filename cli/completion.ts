import type { Command } from "commander";
import { type CommandNode, type Flag, listCommands } from "./command-tree";
import type { Shell } from "./options";
import { writeLine } from "./stdout";

/**
 * `chatd completion SHELL`: prints a script with which the shell completes commands, options and
 * their values.
 */
export function printCompletion(program: Command, shell: Shell) {
  writeLine(scripts[shell](listCommands(program)));
}

const scripts: Record<Shell, (nodes: CommandNode[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** A quoted word for sh and similar shells. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const patterns = (words: readonly string[]) => words.map(quote).join("|");

/** `command|--flag` for the matching flags of all commands. */
const flagsWhere = (nodes: CommandNode[], isIt: (flag: Flag) => boolean) =>
  nodes.flatMap(({ words, flags }) => flags.filter(isIt).map(({ name }) => `${words}|${name}`));

const isFree = ({ takesValue, isFile, values }: Flag) =>
  takesValue && !isFile && values.length === 0;

const choices = (nodes: CommandNode[]) =>
  nodes.flatMap(({ words, flags }) =>
    flags
      .filter(({ values }) => values.length > 0)
      .map(({ name, values }) => ({ at: `${words}|${name}`, values })),
  );

const takesFile = ({ arguments: places }: CommandNode) => places.some(({ isFile }) => isFile);

const valuesOf = ({ arguments: places }: CommandNode) => places.flatMap(({ values }) => values);

function bashScript(nodes: CommandNode[]): string {
  const offers = nodes.map((node) => {
    const words = [
      ...node.commands.map(({ name }) => name),
      ...valuesOf(node),
      ...node.flags.map(({ name }) => name),
    ];
    return `    ${quote(node.words)}) offers=${quote(words.join(" "))} ;;`;
  });
  const chosen = choices(nodes).map(
    ({ at, values }) =>
      `    ${quote(at)}) _chatd_words ${quote(values.join(" "))} "$current"; return ;;`,
  );
  const files = [...flagsWhere(nodes, ({ isFile }) => isFile)];
  const fileCommands = nodes.filter(takesFile).map(({ words }) => words);
  return `# Completion for bash. To have it in every shell, add to ~/.bashrc:  source <(chatd completion bash)
_chatd() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at=chatd offers= index
  local IFS=$' \\t\\n'
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${patterns(below(nodes))}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at|$previous" in
    ${patterns(files)}) _chatd_files "$current"; return ;;
    ${patterns(flagsWhere(nodes, isFree))}) return ;;
${chosen.join("\n")}
    *) case "$at" in
${offers.join("\n")}
    esac ;;
  esac
  case "$at|$current" in
    ${fileCommands.map((words) => `${quote(`${words}|-`)}*) ;;\n    ${quote(`${words}|`)}*) _chatd_files "$current"; return ;;`).join("\n    ")}
  esac
  _chatd_words "$offers" "$current"
}
_chatd_words() {
  COMPREPLY=($(compgen -W "$1" -- "$2"))
}
_chatd_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$1"))
}
complete -F _chatd chatd`;
}

/** The words of all commands except the program itself. */
const below = (nodes: CommandNode[]) => nodes.slice(1).map(({ words }) => words);

function zshScript(nodes: CommandNode[]): string {
  const described = ({ name, description }: { name: string; description: string }) =>
    quote(`${name}:${description.replaceAll(":", "\\:")}`);
  const offers = nodes.map((node) => {
    const words = node.commands.map(described).join(" ");
    const flags = node.flags.map(described).join(" ");
    const values = valuesOf(node).map(quote).join(" ");
    const files = takesFile(node) ? " files=1" : "";
    return `    ${quote(node.words)}) commands=(${words}) options=(${flags}) values=(${values})${files} ;;`;
  });
  const chosen = choices(nodes).map(
    ({ at, values }) => `    ${quote(at)}) compadd -- ${values.join(" ")}; return ;;`,
  );
  return `#compdef chatd
# Completion for zsh. To have it in every shell, add to ~/.zshrc after compinit:  source <(chatd completion zsh)
_chatd() {
  local at=chatd index files=0
  local -a commands options values
  for ((index = 2; index < CURRENT; index++)); do
    case "$at \${words[index]}" in
      ${patterns(below(nodes))}) at="$at \${words[index]}" ;;
    esac
  done
  case "$at|\${words[CURRENT-1]}" in
    ${patterns(flagsWhere(nodes, ({ isFile }) => isFile))}) _files; return ;;
    ${patterns(flagsWhere(nodes, isFree))}) return ;;
${chosen.join("\n")}
  esac
  case "$at" in
${offers.join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
    return
  fi
  (( $#commands )) && _describe command commands
  (( $#values )) && compadd -- "\${values[@]}"
  (( files )) && _files
}
if [[ \${funcstack[1]} == _chatd ]]; then
  _chatd "$@"
else
  compdef _chatd chatd
fi`;
}

function fishScript(nodes: CommandNode[]): string {
  const lines = nodes.flatMap((node) => {
    const at = `complete -c chatd -n ${fishQuote(`__chatd_at ${node.words}`)}`;
    return [
      ...node.commands.map(
        ({ name, description }) => `${at} -a ${name} -d ${fishQuote(description)}`,
      ),
      ...node.flags.map((flag) => `${at} ${fishFlag(flag)}`),
      ...valuesOf(node).map((value) => `${at} -a ${fishQuote(value)}`),
      ...(takesFile(node) ? [`${at} -F`] : []),
    ];
  });
  return `# Completion for fish. To have it in every shell:  chatd completion fish > ~/.config/fish/completions/chatd.fish
function __chatd_at
  set -l at chatd
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${below(nodes).map(fishQuote).join(" ")}
        set at "$at $word"
    end
  end
  test "$at" = "$argv"
end
complete -c chatd -f
${lines.join("\n")}`;
}

/** Only these two characters are special within fish's single quotes. */
const fishQuote = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;

function fishFlag({ name, description, takesValue, values, isFile }: Flag): string {
  const offered =
    values.length > 0 ? `-x -a ${fishQuote(values.join(" "))}` : isFile ? "-r -F" : "-x";
  const words = [
    `-l ${name.slice(2)}`,
    ...(takesValue ? [offered] : []),
    `-d ${fishQuote(description)}`,
  ];
  return words.join(" ");
}
