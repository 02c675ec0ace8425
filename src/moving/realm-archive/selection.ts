import { type ExportedTable, exportedTable } from "../../../db/schema/tables";
import type { StoredValue } from "../../../db/stored-rows";
import { isRecord } from "../../core/json/record";
import { holdsPlace, type Period } from "../../core/reading-right/periods";
import { plainColor } from "../../management/subscriptions/colors";
import { IdSet } from "./id-set";

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, StoredValue>>;

/** Reads the rows of a table. It can be called several times. */
export type ReadTable = (table: ExportedTable) => AsyncIterable<Row>;

/** Gives the part of a row that is exported; undefined where none of it is. */
export type Select = (table: ExportedTable, row: Row) => Row | undefined;

/** Removes the secrets from a row. Hashes of passwords stay if the operator has asked for them. */
export const withoutSecrets =
  (withPasswords: boolean): Select =>
  (table, row) => {
    if (withPasswords && table === "users") return row;
    const secrets = Object.entries(exportedTable(table).holds).filter(
      ([, { is }]) => is === "secret",
    );
    return secrets.length === 0
      ? row
      : { ...row, ...Object.fromEntries(secrets.map(([column]) => [column, null])) };
  };

/** Name that replaces the names of people's client programs, because these are private. */
const anyClient = "chatd";
/** Visibilities that show an address to everybody but guests. */
const openVisibilities = [undefined, 1, 2];

const numberOf = (value: StoredValue | undefined): number =>
  typeof value === "number" ? value : 0;
const isTrue = (value: StoredValue | undefined): boolean => value === true || value === 1;

function parseObject(json: StoredValue | undefined): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(String(json));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

type MessagesOfPeriod = Pick<Period, "fromMessage" | "toMessage">;

/**
 * Selects data that everybody in an organization may read, and data that consenting people may
 * read. It leaves out other private channels and direct messages, objects that belong to other
 * people, files that no selected message links to, and the names of other people's client programs.
 */
export class Selection {
  private readonly consenting = new Set<number>();
  private readonly channels = new Set<number>();
  /**
   * For private channels with protected history: the messages that consenting people have received
   * and may still read, because they are still subscribed.
   */
  private readonly periods = new Map<number, MessagesOfPeriod[]>();
  private readonly conversations = new Set<number>();
  private readonly messages = new IdSet();
  private readonly attachments = new IdSet();
  private editsShown = "all";
  private host = "";

  private constructor(private readonly asksPeople: boolean) {}

  /**
   * Reads the tables on which the selection of other rows depends. `asksPeople`: whether data of
   * consenting people is selected.
   */
  static async make(read: ReadTable, asksPeople: boolean): Promise<Selection> {
    const selection = new Selection(asksPeople);
    for await (const realm of read("realms")) selection.seeRealm(realm);
    if (asksPeople) for await (const user of read("users")) selection.seeUser(user);
    await selection.seeChannels(read);
    if (asksPeople) {
      for await (const { user_id, conversation_id } of read("conversation_members")) {
        if (selection.isConsenting(user_id)) selection.conversations.add(numberOf(conversation_id));
      }
    }
    return selection;
  }

  private seeRealm({ settings, host }: Row) {
    const policy = parseObject(settings)["message_edit_history_visibility_policy"];
    if (typeof policy === "string") this.editsShown = policy;
    this.host = String(host);
  }

  private seeUser({ id, settings, is_active }: Row) {
    const agrees = parseObject(settings)["allow_private_data_export"] === true;
    if (agrees && isTrue(is_active)) this.consenting.add(numberOf(id));
  }

  private async seeChannels(read: ReadTable) {
    const joined = new Map<number, Set<number>>();
    for await (const { user_id, channel_id, is_active } of this.asksPeople
      ? read("subscriptions")
      : []) {
      if (!isTrue(is_active) || !this.isConsenting(user_id)) continue;
      const people = joined.get(numberOf(channel_id)) ?? new Set();
      joined.set(numberOf(channel_id), people.add(numberOf(user_id)));
    }
    for await (const { id, invite_only, history_public_to_subscribers } of read("channels")) {
      if (isTrue(invite_only) && !joined.has(numberOf(id))) continue;
      this.channels.add(numberOf(id));
      if (isTrue(invite_only) && !isTrue(history_public_to_subscribers))
        this.periods.set(numberOf(id), []);
    }
    if (this.periods.size === 0) return;
    for await (const { user_id, channel_id, from_message, to_message } of read(
      "subscription_periods",
    )) {
      if (!joined.get(numberOf(channel_id))?.has(numberOf(user_id))) continue;
      const toMessage = to_message === null ? null : numberOf(to_message);
      const fromMessage = numberOf(from_message);
      this.periods.get(numberOf(channel_id))?.push({ fromMessage, toMessage });
    }
  }

  /**
   * Finds the files that selected messages link to. It is called after all messages have been
   * selected.
   */
  async seeLinks(read: ReadTable): Promise<void> {
    for await (const { attachment_id, message_id } of read("attachment_messages")) {
      if (this.messages.has(numberOf(message_id))) this.attachments.add(numberOf(attachment_id));
    }
  }

  private isConsenting = (userId: StoredValue | undefined) => this.consenting.has(numberOf(userId));
  private hasMessage = (id: StoredValue | undefined) => this.messages.has(numberOf(id));
  private hasChannel = (id: StoredValue | undefined) => this.channels.has(numberOf(id));

  select: Select = (table, row) => {
    switch (table) {
      case "users":
        return this.isConsenting(row["id"]) ? row : this.shownUser(row);
      case "channels":
        return this.hasChannel(row["id"]) ? row : undefined;
      case "subscriptions":
        return this.selectSubscription(row);
      case "conversations":
        return this.conversations.has(numberOf(row["id"])) ? row : undefined;
      case "messages":
        return this.selectMessage(row);
      case "message_edits":
        return this.selectEdit(row);
      case "attachments":
        return this.attachments.has(numberOf(row["id"])) || this.isConsenting(row["owner_id"])
          ? row
          : undefined;
      default:
        return this.isOfReaders(table, row) ? row : undefined;
    }
  };

  /**
   * Whether the readers of the export may see a row. This depends on the owner that the traits of
   * its table name.
   */
  private isOfReaders(table: ExportedTable, row: Row): boolean {
    switch (exportedTable(table).traits.of) {
      case "realm":
        return true;
      case "administrators":
        return this.asksPeople;
      case "channel":
        return this.hasChannel(row["channel_id"]);
      case "conversation":
        return this.conversations.has(numberOf(row["conversation_id"]));
      case "message":
        return this.hasMessage(row["message_id"]);
      case "person":
        return this.isOfConsenting(row);
      default:
        return false;
    }
  }

  /**
   * Whether a row belongs to a consenting person. If it is about a message, that message must be
   * selected too.
   */
  private isOfConsenting(row: Row): boolean {
    if (!this.isConsenting(row["user_id"])) return false;
    return !("message_id" in row) || this.hasMessage(row["message_id"]);
  }

  /** A person as everybody else sees them. */
  private shownUser(row: Row): Row {
    const { email_address_visibility: visibility } = parseObject(row["settings"]);
    const isShown = openVisibilities.some((one) => one === visibility);
    const address: Row = isShown
      ? {}
      : { email: this.hiddenAddress(row), email_key: this.hiddenAddress(row) };
    const settings =
      visibility === undefined ? "{}" : JSON.stringify({ email_address_visibility: visibility });
    return { ...row, ...address, settings, chosen_settings: "[]", password_hash: null };
  }

  private hiddenAddress = ({ id }: Row) => `user${numberOf(id)}@${this.host}`;

  private selectSubscription(row: Row): Row | undefined {
    if (!this.hasChannel(row["channel_id"])) return undefined;
    if (this.isConsenting(row["user_id"])) return row;
    const notifications = {
      desktop_notifications: null,
      email_notifications: null,
      push_notifications: null,
    };
    const heard = { audible_notifications: null, wildcard_mentions_notify: null };
    return {
      ...row,
      ...notifications,
      ...heard,
      color: plainColor,
      is_muted: false,
      pin_to_top: false,
    };
  }

  private selectMessage(row: Row): Row | undefined {
    if (!this.isInside(row)) return undefined;
    this.messages.add(numberOf(row["id"]));
    const { channel_id = null, sent_channel_id: sent } = row;
    if (channel_id === null) return this.withoutClient(row);
    const sent_channel_id = this.hasChannel(sent) ? (sent ?? null) : channel_id;
    const mentions_all_of = this.hasChannel(row["mentions_all_of"]) ? row["mentions_all_of"] : null;
    return this.withoutClient({
      ...row,
      sent_channel_id,
      mentions_all_of: mentions_all_of ?? null,
    });
  }

  private isInside({ id, channel_id, conversation_id, placed_at }: Row): boolean {
    if (channel_id === null || channel_id === undefined)
      return this.conversations.has(numberOf(conversation_id));
    if (!this.hasChannel(channel_id)) return false;
    const periods = this.periods.get(numberOf(channel_id));
    const place = Math.max(numberOf(id), numberOf(placed_at));
    return periods === undefined || holdsPlace(periods, place);
  }

  private withoutClient(row: Row): Row {
    return this.isConsenting(row["sender_id"])
      ? row
      : { ...row, client: anyClient, read_by_sender: true };
  }

  private selectEdit(row: Row): Row | undefined {
    if (!this.hasMessage(row["message_id"]) || this.editsShown === "none") return undefined;
    const content: Row =
      this.editsShown === "moves" ? { prev_content: null, prev_rendered_content: null } : {};
    const isOpen = [row["prev_channel_id"], row["channel_id"]].every(
      (id) => id === null || this.hasChannel(id),
    );
    const places: Row = isOpen
      ? {}
      : { prev_channel_id: null, channel_id: null, prev_topic: null, topic: null };
    return { ...row, ...content, ...places };
  }
}
