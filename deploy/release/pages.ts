import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run";

/**
 * Writes the pages of the manual and what shells complete by, made from the command tree; answers
 * the folder.
 */
export function writePages(folder: string, version: string, date: string): string {
  const defined = { builtVersion: version, builtCommitDate: date };
  const defines = Object.entries(defined).flatMap(([name, value]) => [
    "--define",
    `${name}=${JSON.stringify(value)}`,
  ]);
  const print = (...words: string[]) =>
    run([process.execPath, "run", ...defines, "cli/main.ts", ...words]);
  const write = (path: string, ...words: string[]) =>
    writeFileSync(join(folder, path), print(...words));
  for (const name of ["man", "completions"]) mkdirSync(join(folder, name), { recursive: true });
  write("man/chatd.1", "man");
  write("man/chatd.toml.5", "man", "chatd.toml");
  write("completions/chatd.bash", "completion", "bash");
  write("completions/_chatd", "completion", "zsh");
  write("completions/chatd.fish", "completion", "fish");
  return folder;
}
