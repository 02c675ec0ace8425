/** A language of code blocks: its name in Pygments, which clients show, and its grammar. */
export interface Language {
  label: string;
  /** The name of its grammar. Code in a language without one is shown plain. */
  grammar?: string;
  /** Classes for plain words and for numbers, if they differ from `n` and `mi`. */
  name?: string;
  number?: string;
  /** Whether Pygments marks spaces in this language. */
  marksSpaces?: boolean;
  /** Whether text without a scope is prose instead of code. */
  isProse?: boolean;
  /**
   * Whether its grammar takes much longer than others for code that somebody has made difficult on
   * purpose.
   */
  isCostly?: boolean;
}

type Row = [
  label: string,
  aliases: string,
  grammar?: string,
  how?: Omit<Language, "label" | "grammar">,
];

const cLike = { marksSpaces: true };
const costly = { ...cLike, isCostly: true };
const prose = { isProse: true };
const scriptLike = { name: "nx", number: "mf", marksSpaces: true };

const rows: readonly Row[] = [
  ["Text only", "text"],
  ["Bash", "bash sh ksh zsh shell", "bash"],
  ["Bash Session", "console shell-session", "shell", prose],
  ["C", "c", "c", costly],
  ["C#", "csharp c# cs", "csharp", costly],
  ["C++", "cpp c++", "cpp", costly],
  ["Clojure", "clojure clj", "clojure", cLike],
  ["CMake", "cmake", "cmake"],
  ["CSS", "css", "css", cLike],
  ["Dart", "dart", "dart", cLike],
  ["Diff", "diff udiff", "diff", prose],
  ["Docker", "docker dockerfile", "dockerfile"],
  ["Elixir", "elixir ex exs", "elixir"],
  ["Elm", "elm", "elm", cLike],
  ["Erlang", "erlang", "erlang", cLike],
  ["F#", "fsharp f#", "fsharp", { isCostly: true }],
  ["Go", "go golang", "go", { name: "nx", marksSpaces: true }],
  ["GraphQL", "graphql", "graphql", cLike],
  ["Groovy", "groovy", "groovy", cLike],
  ["Haskell", "haskell hs", "haskell", costly],
  ["HTML", "html", "xml", prose],
  ["HTTP", "http", "http", prose],
  ["INI", "ini cfg dosini", "ini", { isCostly: true }],
  ["Java", "java", "java", costly],
  ["JavaScript", "javascript js", "javascript", scriptLike],
  ["JSON", "json json-object", "json", cLike],
  ["Julia", "julia jl", "julia"],
  ["Kotlin", "kotlin", "kotlin", cLike],
  ["Lua", "lua", "lua", cLike],
  ["Makefile", "make makefile mf bsdmake", "makefile"],
  ["Markdown", "markdown md", "markdown", prose],
  ["Nginx configuration file", "nginx", "nginx"],
  ["Nix", "nixos nix", "nix", { isCostly: true }],
  ["Objective-C", "objective-c objectivec obj-c objc", "objectivec", cLike],
  ["OCaml", "ocaml", "ocaml", cLike],
  ["Perl", "perl pl", "perl", cLike],
  ["PHP", "php php3 php4 php5", "php", { name: "nx", marksSpaces: true }],
  ["PostgreSQL SQL dialect", "postgresql postgres", "sql", cLike],
  ["PowerShell", "powershell pwsh posh ps1 psm1", "powershell"],
  ["Protocol Buffer", "protobuf proto", "protobuf", costly],
  ["Python", "python py sage python3 py3 bazel starlark", "python"],
  ["Python 2.x", "python2 py2", "python"],
  ["Python console session", "pycon python-console", "python-repl", prose],
  ["Ruby", "ruby rb duby", "ruby"],
  ["Rust", "rust rs", "rust", cLike],
  ["S", "splus s r", "r"],
  ["Scala", "scala", "scala", costly],
  ["SCSS", "scss", "scss", cLike],
  ["SQL", "sql", "sql", cLike],
  ["Swift", "swift", "swift", cLike],
  ["TeX", "tex latex", "latex", prose],
  ["TOML", "toml", "ini", { isCostly: true }],
  ["TypeScript", "typescript ts", "typescript", scriptLike],
  ["VimL", "vim", "vim"],
  ["XML", "xml", "xml", prose],
  ["YAML", "yaml", "yaml", cLike],
];

const languages = new Map<string, Language>(
  rows.flatMap(([label, aliases, grammar, how]) =>
    aliases
      .split(" ")
      .map((alias): [string, Language] => [alias, { label, ...(grammar && { grammar }), ...how }]),
  ),
);

/** A language by one of its names, ignoring case. */
export const findLanguage = (name: string): Language | undefined =>
  languages.get(name.toLowerCase());
