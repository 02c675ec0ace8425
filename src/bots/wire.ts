import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { UserRow } from "../core/context";
import { botKinds } from "./kinds";
import type { BotRow } from "./queries";

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const service = Type.Union([
  Type.Object({ base_url: Type.String(), interface: Type.Integer(), token: Type.String() }),
  Type.Object({ service_name: Type.String(), config_data: Type.Record(Type.String(), Type.String()) }),
]);

/** What can change of it, beside its account. */
export const botDetails = {
  default_sending_stream: nullable(Type.String()),
  default_events_register_stream: nullable(Type.String()),
  default_all_public_streams: Type.Boolean(),
  services: Type.Array(service),
};

/** What only a bot's owner and administrators see of it: the slim form that the protocol has since level 474. */
export const botObject = Type.Object({ user_id: Type.Integer(), ...botDetails });

export type BotObject = Static<typeof botObject>;
type Service = Static<typeof service>;

/** What stands in the row as something else than what is shown. */
export interface ShownParts {
  /** The names of channels by id, as far as the reader may know them. */
  channelNames: ReadonlyMap<number, string>;
  /** Opens the token of a bot. */
  tokenOf(row: BotRow): string | undefined;
}

const noParts: ShownParts = { channelNames: new Map(), tokenOf: () => undefined };

export const botWire = (bot: UserRow, row?: BotRow, parts: ShownParts = noParts): BotObject => ({
  user_id: bot.id,
  ...defaultsWire(row, parts),
  services: row ? servicesWire(bot, row, parts) : [],
});

type ShownDefaults = Pick<BotRow, "defaultSendingChannelId" | "defaultEventsChannelId" | "defaultAllPublicChannels">;

/** Where a bot sends to and what it hears of where it does not say. */
export function defaultsWire(row: ShownDefaults | undefined, { channelNames }: Pick<ShownParts, "channelNames">) {
  const nameOf = (id: number | null | undefined) => (id == null ? null : (channelNames.get(id) ?? null));
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
