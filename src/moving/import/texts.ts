import { type Numbered, type Shifts, shiftId } from "./shifts";

/**
 * Mapping of the references in texts, except those to people: ids, and the organization's id and
 * host before and after the import.
 */
export interface TextMap {
  shifts: Shifts;
  realmId: { from: number; to: number };
  host: { from: string; to: string };
}

/** The parts of a narrow's address that contain ids. */
const operands: Readonly<Record<string, Numbered>> = {
  channel: "channels",
  stream: "channels",
  dm: "users",
  "pm-with": "users",
  "dm-including": "users",
  "group-pm-with": "users",
  sender: "users",
  near: "messages",
  with: "messages",
  id: "messages",
};

const shifted = (map: TextMap, of: Numbered, digits: string): string =>
  String(shiftId(map.shifts, of, Number(digits)) ?? digits);

/** Maps `channel/5-general/topic/x/near/12`, the part after `#narrow/`. */
export function mapNarrow(map: TextMap, path: string): string {
  const parts = path.split("/");
  return parts
    .map((part, at) => {
      const of = at % 2 === 1 ? operands[(parts[at - 1] ?? "").replace(/^-/, "")] : undefined;
      if (of === undefined) return part;
      if (of === "users")
        return part.replace(/^\d+(?:,\d+)*/, (ids) =>
          ids.replace(/\d+/g, (id) => shifted(map, of, id)),
        );
      return part.replace(/^\d+/, (id) => shifted(map, of, id));
    })
    .join("/");
}

const folders = /\/(user_uploads(?:\/thumbnail)?|user_avatars)\/(\d+)\//g;
const narrow = /#narrow\/[^\s"'()<>\]]+/g;

/**
 * Maps the addresses in a text: folders of the organization's files, narrows, and the
 * organization's host in front of either.
 */
function mapAddresses(map: TextMap, text: string): string {
  let mapped = text;
  if (mapped.includes("/user_")) {
    mapped = mapped.replace(folders, (whole, folder, id) =>
      Number(id) === map.realmId.from ? `/${folder}/${map.realmId.to}/` : whole,
    );
  }
  if (mapped.includes("#narrow/")) {
    mapped = mapped.replace(
      narrow,
      (address) => `#narrow/${mapNarrow(map, address.slice("#narrow/".length))}`,
    );
  }
  if (map.host.from !== map.host.to && mapped.includes(`//${map.host.from}`))
    mapped = mapHost(map, mapped);
  return mapped;
}

const ownPlace = /(https?:\/\/)([^\s/:"'()<>]+)(:\d+)?(?=\/(?:#narrow\/|user_uploads\/))/g;

const mapHost = ({ host }: TextMap, text: string): string =>
  text.replace(ownPlace, (whole, scheme, name, port = "") =>
    name === host.from ? `${scheme}${host.to}${port}` : whole,
  );

const personWritten = /(@_?\*\*[^*\n]*\|)(\d+)(?=\*\*)/g;
const messageWritten = /(#\*\*[^*\n]*@)(\d+)(?=\*\*)/g;

/** The Markdown of a message with mapped ids. */
export function mapMarkdown(map: TextMap, source: string): string {
  let text = source;
  if (text.includes("**")) {
    text = text
      .replace(personWritten, (_, before, id) => `${before}${shifted(map, "users", id)}`)
      .replace(messageWritten, (_, before, id) => `${before}${shifted(map, "messages", id)}`);
  }
  return mapAddresses(map, text);
}

/** Attributes of HTML that contain an id. */
const idAttributes: Readonly<Record<string, Numbered>> = {
  "data-user-id": "users",
  "data-user-group-id": "user_groups",
  "data-stream-id": "channels",
};

/** The value of an attribute of rendered HTML with mapped ids. */
export function mapAttribute(map: TextMap, name: string, value: string): string {
  const of = idAttributes[name];
  if (of !== undefined) return /^\d+$/.test(value) ? shifted(map, of, value) : value;
  return name === "href" || name === "src" || name.startsWith("data-")
    ? mapAddresses(map, value)
    : value;
}

/** Maps an action on a widget: votes and completed tasks name a person in their key. */
export function mapWidget(map: TextMap, json: string): string {
  return json.replace(
    /("key"\s*:\s*")(\d+)(?=,\d+")/g,
    (_, before, id) => `${before}${shifted(map, "users", id)}`,
  );
}
