import { type Static, Type } from "@sinclair/typebox";
import { emojiTypeFor } from "../../emoji/emoji-types";

/** Status of somebody, as stored: empty fields are not set. */
export interface Status {
  statusText: string;
  emojiName: string;
  emojiCode: string;
  reactionType: string;
  /** UNIX seconds at which it ends by itself. */
  endsAt: number | null;
}

/** The status of somebody without one. */
export const noStatus: Status = {
  statusText: "",
  emojiName: "",
  emojiCode: "",
  reactionType: "",
  endsAt: null,
};

/** Text, emoji and end of a status on the wire, if set. */
export const statusTextsObject = Type.Object(
  {
    status_text: Type.Optional(Type.String()),
    emoji_name: Type.Optional(Type.String()),
    emoji_code: Type.Optional(Type.String()),
    reaction_type: Type.Optional(
      Type.String({
        description: "`unicode_emoji`, `realm_emoji`, or the type of the server's own emoji.",
      }),
    ),
    scheduled_end_time: Type.Optional(
      Type.Integer({ description: "UNIX seconds at which the status ends by itself." }),
    ),
  },
  { title: "StatusTexts" },
);

/** A status as the protocol shows it. */
export const statusObject = Type.Object(
  {
    away: Type.Optional(
      Type.Literal(true, { description: "Whether the person is invisible, for older clients." }),
    ),
    ...statusTextsObject.properties,
  },
  { title: "Status" },
);

type StatusObject = Static<typeof statusObject>;

interface StatusView {
  isAway: boolean;
  isOfficialClient: boolean;
}

/** Only the fields that are set; undefined for somebody without a status. */
export function statusWire(
  status: Status | undefined,
  { isAway, isOfficialClient }: StatusView,
): StatusObject {
  const { statusText, emojiName, emojiCode, reactionType, endsAt } = status ?? noStatus;
  const emoji = {
    emoji_name: emojiName,
    emoji_code: emojiCode,
    reaction_type: emojiTypeFor(reactionType, isOfficialClient),
  };
  return {
    ...(isAway ? { away: true } : {}),
    ...(statusText === "" ? {} : { status_text: statusText }),
    ...(emojiName === "" ? {} : emoji),
    ...(endsAt === null ? {} : { scheduled_end_time: endsAt }),
  };
}
