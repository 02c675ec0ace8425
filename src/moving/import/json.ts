import { isRecord } from "../../core/json/record";

/** A JSON object from outside: any member may be missing. */
export type Given = Record<string, unknown>;

export const givenText = (value: unknown): string => (typeof value === "string" ? value : "");
export const givenNumber = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) ? value : 0;
export const givenList = (value: unknown): Given[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
export const givenTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
export const givenRecord = (value: unknown): Given => (isRecord(value) ? value : {});
