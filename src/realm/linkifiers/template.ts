/** A reverse template: `{name}` stands for a variable, and `{{` and `}}` for braces. */
const piece = /\{\{|\}\}|\{(\w+)\}|[{}]/g;

/** The variables of a reverse template; undefined if a brace is unbalanced. */
export function reverseVariables(written: string): string[] | undefined {
  const pieces = [...written.matchAll(piece)];
  if (pieces.some(([one]) => one === "{" || one === "}")) return undefined;
  return pieces.flatMap(([, name]) => name ?? []);
}

/** The text with its variables' values. */
export const fillReverse = (
  written: string,
  values: Readonly<Record<string, string | null>>,
): string =>
  written.replace(piece, (one, name: string | undefined) =>
    name === undefined ? one.slice(0, 1) : (values[name] ?? ""),
  );
