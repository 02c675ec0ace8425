import { UsageError } from "./output";

/** An id of an object, as a list shows it. */
export function readId(text: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(id)) return id;
  throw new UsageError(`'${text}' is no ID: take it from the list.`);
}
