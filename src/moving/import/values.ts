import type { ExportedHolding } from "../../../db/schema/tables";
import type { StoredValue } from "../../../db/stored-rows";
import { parsedJson } from "../../core/json/parsed-json";
import { isRecord } from "../../core/json/record";
import { realmEmojiType } from "../../emoji/emoji-types";
import { isLink } from "../../management/profile-fields/value";
import { htmlBytesMax } from "../../markdown/render";
import { fieldTypes } from "../../protocol/profile-field-types";
import { blockOf, idsPerBlock } from "../../reading/read-blocks";
import { namesChannel } from "../../realm/channel-settings";
import { isRealmSettingName, realmSettings } from "../../realm/settings";
import { mapDetails, targetIdsOfAct } from "./audit-log";
import { mapGroupSetting } from "./group-setting";
import { mapHtml } from "./html";
import { type Numbered, type Shifts, shiftId, shiftPlace } from "./shifts";
import { mapMarkdown, mapNarrow, mapWidget, type TextMap } from "./texts";

type Row = Readonly<Record<string, StoredValue>>;

/** Tools for mapping values. */
export interface Mapping extends TextMap {
  /** HTML of a Markdown source in at most `bytesMax` bytes, where the given HTML cannot be used. */
  render(source: string, bytesMax: number): string;
  /** The types of profile fields, by their ids in the file. */
  fieldTypes: ReadonlyMap<number, number>;
  /** Whether a row, by its id here, is known to be left out, so that no other row may name it. */
  isLeftOut(of: Numbered, id: number): boolean;
}

/**
 * Refusal of a row that cannot be imported; the message is the reason. It contains no id, because
 * refused rows are counted by reason, and the counts are stored with each write of the import.
 */
export class RowRefusal extends Error {}

/**
 * A value of the file, as it is stored here. Throws a `RowRefusal` if its row has no meaning with
 * this value.
 */
export function mapValue(
  mapping: Mapping,
  holding: ExportedHolding,
  value: StoredValue,
  row: Row,
): StoredValue {
  if (value === null) return null;
  switch (holding.is) {
    case "id":
      return mapId(mapping, holding, Number(value));
    case "place":
      return required(shiftPlace(mapping.shifts, holding.of, Number(value)), holding.of);
    case "block":
      return required(shiftBlock(mapping.shifts, Number(value)), "messages");
    case "people":
      return requiredIds(mapping, String(value).split(",").map(Number)).join(",");
    case "peopleJson":
      return JSON.stringify(requiredIds(mapping, parseIds(value)));
    case "target":
      return JSON.stringify(targetIds(mapping, row["type"], parseIds(value)));
    case "auditTargets":
      return JSON.stringify(targetIdsOfAct(mapping.shifts, row, parseIds(value)));
    case "auditDetails":
      return mapDetails(mapping.shifts, row, String(value));
    case "emojiCode":
      return row["reaction_type"] === realmEmojiType
        ? String(required(takenId(mapping, "realm_emoji", Number(value)), "realm_emoji"))
        : value;
    case "path":
      return mapPath(mapping, String(value));
    default:
      return isMappedText(holding) ? mapText(mapping, holding, String(value), row) : value;
  }
}

type MappedText = Extract<ExportedHolding, { is: (typeof mappedTexts)[number] }>;

/** Kinds of texts that may contain ids, or the organization's address. */
const mappedTexts = [
  "markdown",
  "html",
  "widget",
  "fragment",
  "groupSettings",
  "realmSettings",
  "profile",
] as const;

const isMappedText = (holding: ExportedHolding): holding is MappedText =>
  mappedTexts.some((one) => one === holding.is);

function mapText(mapping: Mapping, holding: MappedText, text: string, row: Row): string {
  switch (holding.is) {
    case "markdown":
      return mapMarkdown(mapping, text);
    case "html":
      return mapBoundedHtml(mapping, text, {
        source: String(row[holding.from] ?? ""),
        bytesMax: htmlBytesMax[holding.length],
      });
    case "widget":
      return mapWidget(mapping, text);
    case "fragment":
      return text.startsWith("narrow/")
        ? `narrow/${mapNarrow(mapping, text.slice("narrow/".length))}`
        : text;
    case "groupSettings":
      return mapObject(text, (value) => mapPermission(mapping, value));
    case "realmSettings":
      return mapObject(text, (value, name) => mapRealmSetting(mapping, name, value));
    case "profile":
      return mapProfile(mapping, text);
  }
}

type Id = Extract<ExportedHolding, { is: "id" }>;

/** The new id for an id of the file; undefined if it is unknown, or its row is left out. */
export function takenId(mapping: Mapping, of: Numbered, id: number): number | undefined {
  const shifted = shiftId(mapping.shifts, of, id);
  return shifted === undefined || mapping.isLeftOut(of, shifted) ? undefined : shifted;
}

function mapId(
  mapping: Mapping,
  { of, zero, nullIfGone, keptIfGone }: Id,
  id: number,
): StoredValue {
  if (id === 0 && zero) return 0;
  const shifted = keptIfGone ? shiftId(mapping.shifts, of, id) : takenId(mapping, of, id);
  return shifted === undefined && (nullIfGone || zero) ? null : required(shifted, of);
}

function required<Value>(value: Value | undefined, of: Numbered): Value {
  if (value === undefined) throw new RowRefusal(`names a missing row of ${of}`);
  return value;
}

const requiredIds = (mapping: Mapping, ids: readonly number[]) =>
  ids.map((id) => required(takenId(mapping, "users", id), "users"));

/** Mapped ids of people, or of a channel. Missing ones are left out. */
const targetIds = (mapping: Mapping, type: StoredValue | undefined, ids: readonly number[]) =>
  ids.flatMap((id) => takenId(mapping, type === "stream" ? "channels" : "users", id) ?? []);

function parseIds(value: StoredValue): number[] {
  const ids = parsedJson(String(value));
  if (!Array.isArray(ids)) throw new RowRefusal("has no list where one is required");
  return ids.map(Number);
}

const shiftBlock = (shifts: Shifts, block: number): number | undefined => {
  const place = shiftPlace(shifts, "messages", (block + 1) * idsPerBlock - 1);
  return place === undefined ? undefined : blockOf(place);
};

/** A file's address below `/user_uploads/` begins with the organization's id. */
function mapPath({ realmId }: Mapping, path: string): string {
  const [, token = "", name = "", ...rest] = path.split("/");
  if (!/^[A-Za-z0-9_-]{20,64}$/.test(token) || name === "" || rest.length > 0)
    throw new RowRefusal("has no address");
  return `${realmId.to}/${token}/${name}`;
}

function mapObject(json: string, map: (value: unknown, name: string) => unknown): string {
  const object = parsedJson(json);
  if (!isRecord(object)) return "{}";
  const mapped = Object.entries(object).map(([name, value]) => [name, map(value, name)]);
  return JSON.stringify(Object.fromEntries(mapped.filter(([, value]) => value !== undefined)));
}

/** A permission of a group that is missing is one of nobody: the default may be wider. */
const mapPermission = (mapping: Mapping, value: unknown) =>
  mapGroupSetting((of, id) => takenId(mapping, of, id), value) ?? "role:nobody";

function mapRealmSetting(mapping: Mapping, name: string, value: unknown): unknown {
  if (!isRealmSettingName(name)) return undefined;
  if (realmSettings[name].type === "group") return mapPermission(mapping, value);
  if (namesChannel(name)) return value === -1 ? -1 : takenId(mapping, "channels", Number(value));
  return value;
}

/**
 * Values of somebody's profile, by field. A field of people contains their ids as a list in a text.
 */
function mapProfile(mapping: Mapping, json: string): string {
  const profile = parsedJson(json);
  if (!isRecord(profile)) return "{}";
  const mapped = Object.entries(profile).flatMap(([field, value]) => {
    const id = shiftId(mapping.shifts, "profile_fields", Number(field));
    if (id === undefined || !isRecord(value) || typeof value["value"] !== "string") return [];
    const type = mapping.fieldTypes.get(Number(field));
    if (type === fieldTypes.link && !isLink(value["value"])) return [];
    return [[id, mapProfileValue(mapping, type, value["value"], value["rendered_value"])]];
  });
  return JSON.stringify(Object.fromEntries(mapped));
}

function mapProfileValue(
  mapping: Mapping,
  type: number | undefined,
  text: string,
  rendered: unknown,
) {
  if (type === fieldTypes.users) {
    return { value: JSON.stringify(targetIds(mapping, "private", parseIds(text))) };
  }
  const value = mapMarkdown(mapping, text);
  if (typeof rendered !== "string") return { value };
  const rendered_value = mapBoundedHtml(mapping, rendered, {
    source: value,
    bytesMax: htmlBytesMax.description,
  });
  return { value, rendered_value };
}

/**
 * The given HTML with mapped ids if it is within our size limit; otherwise HTML that is rendered
 * from the source.
 */
function mapBoundedHtml(
  mapping: Mapping,
  html: string,
  made: { source: string; bytesMax: number },
): string {
  const mapped = mapHtml(mapping, html);
  const isKept = mapped !== undefined && Buffer.byteLength(mapped) <= made.bytesMax;
  return isKept ? mapped : mapping.render(made.source, made.bytesMax);
}
