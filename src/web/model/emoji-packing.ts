/** Names of all emoji in a form that a browser loads faster than their table. */
interface PackedEmoji {
  /** The codes in order, each as its distance from the code before; empty for a distance of one. */
  readonly steps: string;
  /** The names of each emoji, in that order. */
  readonly names: string;
}

/** The base in which distances are written. */
const base = 36;

/** Packs a table of names by code. */
export function packEmoji(table: Readonly<Record<string, string>>): PackedEmoji {
  const rows = Object.entries(table)
    .map(([code, names]) => ({ code, first: Number.parseInt(code, 16), names }))
    .sort((one, other) => one.first - other.first || (one.code < other.code ? -1 : 1));
  const steps = rows.map(({ code, first }, index) => {
    const step = first - (rows[index - 1]?.first ?? 0);
    const [, rest = ""] = /^[^-]*(.*)$/.exec(code) ?? [];
    return `${step === 1 ? "" : step.toString(base)}${rest}`;
  });
  return { steps: steps.join(" "), names: rows.map(({ names }) => names).join("\n") };
}

/** Unpacks a table of names by code. */
export function unpackEmoji({ steps, names }: PackedEmoji): Readonly<Record<string, string>> {
  const namesInOrder = names.split("\n");
  let first = 0;
  const rows = steps.split(" ").map((step, index) => {
    const [distance = "", ...rest] = step.split("-");
    first += Number.parseInt(distance || "1", base);
    const code = [first.toString(16).padStart(4, "0"), ...rest].join("-");
    return [code, namesInOrder[index] ?? ""] as const;
  });
  return Object.fromEntries(rows);
}
