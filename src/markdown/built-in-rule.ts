import Markdown, { type MarkdownIt } from "markdown-it";

/**
 * A built-in rule of markdown-it by its name, which the caller wraps. markdown-it itself only gives
 * lists of all enabled rules.
 */
export function builtInRule<Rule>(
  ruler: (lender: MarkdownIt) => {
    enableOnly(name: string): void;
    getRules(chain: string): Rule[];
  },
  name: string,
): Rule {
  const rules = ruler(new Markdown());
  rules.enableOnly(name);
  const [rule] = rules.getRules("");
  if (rule === undefined) throw new Error(`markdown-it has no rule ${name}`);
  return rule;
}
