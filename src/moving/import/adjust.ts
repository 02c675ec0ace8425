import type { ExportedTable } from "../../../db/schema/tables";
import type { StoredValue } from "../../../db/stored-rows";
import { requireTemplate } from "../../bots/incoming-webhooks/templates";
import { makeWebhookToken, tokenPurpose } from "../../bots/outgoing";
import { auditActorKinds, detailsBytesMax } from "../../core/audit";
import { ApiError } from "../../core/errors";
import { parsedJson } from "../../core/json/parsed-json";
import { isRecord } from "../../core/json/record";
import { isRole } from "../../core/rights/role";
import type { Secrets } from "../../core/secrets/secrets";
import { isLonger } from "../../core/text/name";
import { cleanPlayground } from "../../management/playgrounds/service";
import { checkedFieldData } from "../../management/profile-fields/field-data";
import { parseColor, plainColor } from "../../management/subscriptions/colors";
import { cleanEmail } from "../../people/users/email-address";
import { emailKeyOf, isPlaceholderEmail, placeholderEmail } from "../../people/users/queries";
import { systemBots } from "../../people/users/system-bots";
import { lengthsMax } from "../../protocol/limits";
import { fieldTypes } from "../../protocol/profile-field-types";
import { idsPerBlock } from "../../reading/read-blocks";
import { requireLinkifier } from "../../realm/linkifiers/validate";
import { contentTypeOf } from "../../uploads/content-type";
import { shownName } from "../../uploads/file-name";
import { cleanRow } from "./clean-row";
import { cleanedName } from "./people";
import { RowRefusal } from "./values";

type Row = Record<string, StoredValue>;

/**
 * Form of a stored password. Its hash may cost at most 64 MiB and four passes, because every
 * attempt to sign in computes a hash with these costs.
 */
const passwordForm =
  /^\$argon2id\$v=19\$m=(\d{4,5}),t=[1-4],p=[1-4]\$[A-Za-z0-9+/]{20,100}\$[A-Za-z0-9+/]{20,100}$/;
const passwordKibibytesMax = 65_536;
/** Form of the names of pictures' files. */
export const pictureForm = /^[A-Za-z0-9_-]{20,50}$/;
const emojiForm = /^[A-Za-z0-9_-]{20,50}\.(?:png|gif|webp)$/;

interface Surroundings {
  secrets: Secrets;
  host: { from: string; to: string };
  /** Ids here of channels that newcomers may not choose. */
  closedChannels: ReadonlySet<number>;
}

/**
 * A row with all further changes, because the values of an imported file that the server would act
 * on are not trusted.
 */
export const adjustRow = (surroundings: Surroundings, table: ExportedTable, row: Row): Row =>
  cleanRow(table, adjustTo(surroundings, table, row));

function adjustTo(surroundings: Surroundings, table: ExportedTable, row: Row): Row {
  switch (table) {
    case "users":
      return adjustUser(surroundings, row);
    case "bots":
      return adjustBot(surroundings, row);
    case "attachments":
      return adjustAttachment(row);
    case "linkifiers":
      return adjustLinkifier(row);
    case "playgrounds":
      return adjustPlayground(row);
    case "profile_fields":
      return adjustField(row);
    case "webhook_templates":
      return adjustTemplate(row);
    case "messages":
      return adjustMessage(row);
    case "audit_log":
      return adjustAct(row);
    case "read_blocks":
      return adjustBlock(row);
    case "channels":
      return adjustChannel(row);
    case "default_channel_group_channels":
      if (surroundings.closedChannels.has(Number(row["channel_id"])))
        throw new RowRefusal("name a channel that newcomers may not choose");
      return row;
    case "subscriptions":
      return { ...row, color: parseColor(textOf(row, "color")) ?? plainColor };
    case "realm_emoji":
      if (!emojiForm.test(String(row["file_name"]))) throw new RowRefusal("has no picture");
      return row;
    default:
      return row;
  }
}

const actionForm = /^[a-z_]{1,40}\.[a-z_]{1,40}$/;

/**
 * An act of the audit log, which the file may have made up, within the lengths that acts of a
 * server have.
 */
function adjustAct(row: Row): Row {
  if (!actionForm.test(textOf(row, "action"))) throw new RowRefusal("has an unknown action");
  const details = objectOr(row["details"]);
  return {
    ...row,
    // Exports contain no keys.
    key_id: null,
    actor_kind: auditActorKinds.find((kind) => kind === row["actor_kind"]) ?? "nobody",
    address: textOf(row, "address").slice(0, 200),
    client: textOf(row, "client").slice(0, 100),
    details: Buffer.byteLength(details) <= detailsBytesMax ? details : "{}",
  };
}

function adjustUser({ host }: Surroundings, row: Row): Row {
  const { password_hash = null, avatar_file = null, role } = row;
  if (!isRole(Number(role))) throw new RowRefusal("has an unknown role");
  const address = addressOf(host, row);
  // Nobody can manage system bots, so no other account may become one.
  const systemBot =
    row["bot_type"] === null
      ? undefined
      : systemBots.find(({ emailAt }) => emailAt(host.to) === address);
  return {
    ...row,
    email: address,
    email_key: emailKeyOf(address),
    is_system_bot: systemBot !== undefined,
    full_name: systemBot?.fullName ?? cleanedName(String(row["full_name"]), `User ${row["id"]}`),
    settings: objectOr(row["settings"]),
    chosen_settings: listOr(row["chosen_settings"]),
    password_hash: isPassword(password_hash) ? password_hash : null,
    avatar_file: pictureForm.test(String(avatar_file)) ? avatar_file : null,
  };
}

/**
 * The e-mail address of an account. Bots have addresses at the organization's host. A placeholder,
 * which deleted people and hidden addresses have in an export, names the account by its new id,
 * because with the old id it would stand for somebody else here. An invalid address is replaced by
 * one that reaches nobody.
 */
function addressOf(host: Surroundings["host"], { email, bot_type, id }: Row): string {
  const given = String(email ?? "");
  if ([host.from, host.to].some((one) => isPlaceholderEmail({ host: one }, given)))
    return placeholderEmail(host.to, Number(id));
  const [local = "", domain, ...more] = given.split("@");
  const isAtHost = bot_type !== null && more.length === 0 && localForm.test(local);
  if (isAtHost && (domain === host.from || domain === host.to)) return `${local}@${host.to}`;
  try {
    return cleanEmail(given);
  } catch {
    return `imported-${id}@${host.to}`;
  }
}

const localForm = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;

function isPassword(hash: StoredValue): boolean {
  const [, kibibytes] = passwordForm.exec(String(hash)) ?? [];
  return kibibytes !== undefined && Number(kibibytes) <= passwordKibibytesMax;
}

/**
 * The text of a JSON object, or of an empty object where the value is no JSON object. The code that
 * reads the object checks its content.
 */
export const objectOr = (text: StoredValue | undefined): string =>
  isRecord(parsedJson(String(text))) ? String(text) : "{}";

function listOr(text: StoredValue | undefined): string {
  const list = parsedJson(String(text));
  return Array.isArray(list) && list.every((one) => typeof one === "string") ? String(text) : "[]";
}

/**
 * A value that passes the check of the verb that sets it. Refuses a row with a value that nobody
 * could set here.
 */
function judged<Value>(judge: () => Value): Value {
  try {
    return judge();
  } catch (error) {
    if (error instanceof ApiError) throw new RowRefusal(`are not valid here: ${error.message}`);
    throw error;
  }
}

const textOf = (row: Row, column: string) => String(row[column] ?? "");
const textOrNull = (row: Row, column: string) => (row[column] == null ? null : String(row[column]));

function adjustLinkifier(row: Row): Row {
  const alternatives = listOr(row["alternative_url_templates"]);
  const linkifier = {
    pattern: textOf(row, "pattern"),
    urlTemplate: textOf(row, "url_template"),
    reverseTemplate: textOrNull(row, "reverse_template"),
    exampleInput: textOrNull(row, "example_input"),
    alternativeUrlTemplates: JSON.parse(alternatives),
  };
  judged(() => requireLinkifier(linkifier));
  return { ...row, alternative_url_templates: alternatives };
}

function adjustPlayground(row: Row): Row {
  const [name, pygmentsLanguage, urlTemplate] = ["name", "pygments_language", "url_template"].map(
    (column) => textOf(row, column),
  );
  judged(() =>
    cleanPlayground({
      name: name ?? "",
      pygmentsLanguage: pygmentsLanguage ?? "",
      urlTemplate: urlTemplate ?? "",
    }),
  );
  return row;
}

function adjustField(row: Row): Row {
  const type = Number(row["type"]);
  if (!Object.values(fieldTypes).some((fieldType) => fieldType === type))
    throw new RowRefusal("have an unknown type");
  const given = textOf(row, "field_data");
  return {
    ...row,
    field_data: judged(() => checkedFieldData(type, given === "" ? "" : parsedJson(given))),
  };
}

function adjustTemplate(row: Row): Row {
  const [name, topic, content] = [
    textOf(row, "name"),
    textOf(row, "topic"),
    textOf(row, "content"),
  ];
  judged(() => requireTemplate({ name, topic, content }));
  return row;
}

/**
 * Length limit of an imported message. It is twice the limit of a new message, because ids and
 * addresses of files in its text become longer when they are replaced by those of this server.
 */
const importedLengthMax = 2 * lengthsMax.message;

/**
 * A message that belongs to either a channel or a conversation and is within the length limit,
 * because all readers there receive it.
 */
function adjustMessage(row: Row): Row {
  const isPlaced = (row["channel_id"] === null) !== (row["conversation_id"] === null);
  if (!isPlaced) throw new RowRefusal("are neither in a channel nor in a conversation");
  if (isLonger(textOf(row, "content"), importedLengthMax)) throw new RowRefusal("are too long");
  if (isLonger(textOf(row, "topic"), lengthsMax.topic))
    throw new RowRefusal("have a topic that is too long");
  return row;
}

/** Whether newcomers may be put into a channel, as `requireMayBeDefault` decides. */
export const isClosed = ({ invite_only, is_archived }: Row): boolean =>
  Boolean(invite_only) || Boolean(is_archived);

/**
 * A private channel is never open to newcomers or on the web, a public one never has closed
 * history.
 */
function adjustChannel(row: Row): Row {
  const isPrivate = Boolean(row["invite_only"]);
  return {
    ...row,
    is_default: Boolean(row["is_default"]) && !isClosed(row),
    is_web_public: Boolean(row["is_web_public"]) && !isPrivate,
    history_public_to_subscribers: Boolean(row["history_public_to_subscribers"]) || !isPrivate,
  };
}

function adjustBlock(row: Row): Row {
  const { bits } = row;
  const isWhole = bits instanceof Uint8Array && bits.byteLength === idsPerBlock / 8;
  if (!isWhole) throw new RowRefusal("have a wrong length");
  return row;
}

/**
 * A bot with a new token for its service. The service identifies the bot by this token, and exports
 * do not contain the old one.
 */
function adjustBot({ secrets }: Surroundings, row: Row): Row {
  const isCaller = typeof row["payload_url"] === "string" && row["payload_url"] !== "";
  const sealed_token = isCaller
    ? secrets.seal(tokenPurpose(Number(row["user_id"])), makeWebhookToken())
    : null;
  return { ...row, sealed_token, config_data: objectOr(row["config_data"]) };
}

function adjustAttachment(row: Row): Row {
  const name = shownName(String(row["name"]));
  if (Number(row["size_bytes"]) < 0) throw new RowRefusal("has a size below 0");
  return { ...row, name, content_type: contentTypeOf(name) };
}
