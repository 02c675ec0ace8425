import { type Static, type TObject, Type } from "@sinclair/typebox";
import type { UserRow } from "../../core/context";
import { nullable } from "../../core/params";
import { botKinds } from "./kinds";
import type { BotRow } from "./queries";

/** The service of a bot: an outgoing webhook, or an embedded bot. */
const service = Type.Union([
  Type.Object({
    base_url: Type.String({
      description: "Address that messages are posted to; empty where there is none.",
    }),
    interface: Type.Integer({ description: "Form of the posts: 1 is chatd's own, 2 is Slack's." }),
    token: Type.String({
      description: "Sent with each post, so that the receiver can verify the sender.",
    }),
  }),
  Type.Object({
    service_name: Type.String(),
    config_data: Type.Record(Type.String(), Type.String()),
  }),
]);

/** Default channels and events of a bot, for requests that leave them open. */
export const botDefaults = {
  default_sending_stream: nullable(
    Type.String({ description: "Name of the channel that it sends to." }),
  ),
  default_events_register_stream: nullable(
    Type.String({ description: "Name of the channel whose events it gets." }),
  ),
  default_all_public_streams: Type.Boolean({
    description: "Whether it gets the events of all public channels.",
  }),
};

/** The details that can change, in addition to its account. */
export const botDetails = { ...botDefaults, services: Type.Array(service) };

/**
 * Facts about a bot that only its owner and administrators see: the slim form that the protocol has
 * since level 474.
 */
export const botObject = Type.Object({ user_id: Type.Integer(), ...botDetails }, { title: "Bot" });

export type BotObject = Static<typeof botObject>;
type Service = Static<typeof service>;

/** Details that are stored in another form than shown. */
export interface ShownParts {
  /** The names of channels by id, of channels that the reader may know. */
  channelNames: ReadonlyMap<number, string>;
  /** Decrypts the token of a bot. */
  tokenOf(row: BotRow): string | undefined;
}

const noParts: ShownParts = { channelNames: new Map(), tokenOf: () => undefined };

export const botWire = (bot: UserRow, row?: BotRow, parts: ShownParts = noParts): BotObject => ({
  user_id: bot.id,
  ...defaultsWire(row, parts),
  services: row ? servicesWire(bot, row, parts) : [],
});

type ShownDefaults = Pick<
  BotRow,
  "defaultSendingChannelId" | "defaultEventsChannelId" | "defaultAllPublicChannels"
>;

/** Channels that a bot sends to and gets events from by default. */
export function defaultsWire(
  row: ShownDefaults | undefined,
  { channelNames }: Pick<ShownParts, "channelNames">,
): Static<TObject<typeof botDefaults>> {
  const nameOf = (id: number | null | undefined) =>
    id == null ? null : (channelNames.get(id) ?? null);
  return {
    default_sending_stream: nameOf(row?.defaultSendingChannelId),
    default_events_register_stream: nameOf(row?.defaultEventsChannelId),
    default_all_public_streams: row?.defaultAllPublicChannels ?? false,
  };
}

function servicesWire({ botType }: UserRow, row: BotRow, { tokenOf }: ShownParts): Service[] {
  const { payloadUrl: base_url, interfaceType, serviceName: service_name } = row;
  const token = tokenOf(row);
  if (botType === botKinds.outgoingWebhook && token !== undefined) {
    return [{ base_url, interface: interfaceType, token }];
  }
  if (botType !== botKinds.embedded || service_name === null) return [];
  return [{ service_name, config_data: JSON.parse(row.configData) }];
}
