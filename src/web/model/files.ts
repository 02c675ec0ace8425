import type { AnswerTo } from "../../api-types";
import type { Event } from "./wire";

type Answer = AnswerTo<"GET", "/attachments">;

/** A file that the person has uploaded. */
export type OwnFile = Readonly<Answer["attachments"][number]>;

/** The person's files, and the total number of bytes of the organization's files. */
export interface OwnFiles {
  readonly files: ReadonlyMap<number, OwnFile>;
  readonly usedBytes: number;
}

export const filesFrom = ({ attachments, upload_space_used }: Answer): OwnFiles => ({
  files: new Map(attachments.map((file) => [file.id, file])),
  usedBytes: upload_space_used,
});

export function applyFiles(own: OwnFiles, event: Event): OwnFiles {
  if (event.type !== "attachment") return own;
  const files = new Map(own.files);
  if (event.op === "remove") files.delete(event.attachment.id);
  else files.set(event.attachment.id, event.attachment);
  return { files, usedBytes: event.upload_space_used };
}

export const fileOrders = ["newest", "oldest", "largest", "name"] as const;
export type FileOrder = (typeof fileOrders)[number];

/** Comparison functions for two files. If they are equal, the newer file comes first. */
const comparisons: Record<FileOrder, (one: OwnFile, other: OwnFile) => number> = {
  newest: (one, other) => other.id - one.id,
  oldest: (one, other) => one.id - other.id,
  largest: (one, other) => other.size - one.size || other.id - one.id,
  name: (one, other) => one.name.localeCompare(other.name) || other.id - one.id,
};

/** Files whose names contain a text, sorted. */
export function filesNamed(
  { files }: OwnFiles,
  text: string,
  order: FileOrder,
): readonly OwnFile[] {
  const wanted = text.trim().toLocaleLowerCase();
  return [...files.values()]
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .sort(comparisons[order]);
}

export const bytesOfFiles = ({ files }: OwnFiles): number =>
  [...files.values()].reduce((sum, { size }) => sum + size, 0);

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;
const step = 1_024;

/** A number of bytes for people to read, in the largest unit of which there is at least one. */
export function sizeText(bytes: number, language: string): string {
  const rank = bytes < step ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / step ** rank;
  const digits = { maximumFractionDigits: value < 10 && rank > 0 ? 1 : 0 };
  return `${new Intl.NumberFormat(language, digits).format(value)} ${units[rank]}`;
}
