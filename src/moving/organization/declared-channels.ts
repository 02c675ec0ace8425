import { type ChannelGroupSettingName, channelGroupSettings } from "../../channels/group-settings";
import { readRetention } from "../../channels/parameters";
import { type TopicsPolicy, topicsPolicies } from "../../channels/topics-policy";
import { badRequest } from "../../core/errors";
import { cleanChannelName, prepareChannel } from "../../management/channels/create";
import { cleanDescription } from "../../realm/descriptions";
import { type DeclaredPermissions, readPermissions } from "./declared-permissions";
import { type Node, openMapping, readFlag, readText, readTexts, requireText } from "./decode";
import { attempt, type Path, type Problem } from "./problems";

export interface DeclaredChannel {
  name: string;
  description: string | undefined;
  private: boolean | undefined;
  webPublic: boolean | undefined;
  sharedHistory: boolean | undefined;
  default: boolean | undefined;
  topicsPolicy: TopicsPolicy | undefined;
  /** Days, as they are stored: null as long as the organization says, -1 for ever. */
  retention: number | null | undefined;
  /** The name of the folder that it is in; null for none. */
  folder: string | null | undefined;
  permissions: DeclaredPermissions<ChannelGroupSettingName>;
  /** All active people but guests, or exactly those with these e-mail addresses. */
  subscribers: "all" | string[] | undefined;
}

const access = ["private", "web_public", "shared_history"];
const keys = ["name", "description", ...access, "default", "topics_policy", "retention", "folder"];
const lists = ["permissions", "subscribers"];

/** Reads a channel; what is wrong is noted with its place. */
export function readChannel(
  problems: Problem[],
  { path, value }: { path: Path; value: unknown },
): DeclaredChannel {
  const node = openMapping(problems, path, value, "a channel", [...keys, ...lists]);
  const channel = {
    name: requireText(node, "name", cleanChannelName),
    description: readText(node, "description", cleanDescription),
    private: readFlag(node, "private"),
    webPublic: readFlag(node, "web_public"),
    sharedHistory: readFlag(node, "shared_history"),
    default: readFlag(node, "default"),
    topicsPolicy: readTopicsPolicy(node),
    retention: readDays(node),
    folder: node.fields.folder === null ? null : readText(node, "folder", (text) => text.trim()),
    permissions: readPermissions(node, { of: "a channel", table: channelGroupSettings }),
    subscribers: readSubscribers(node),
  };
  refuseOpenHistory(node, channel);
  return channel;
}

export const openHistory = "the history of a public channel is open to everybody.";

/** Refuses the conflicts that the file shows by itself; others depend on the stored data. */
function refuseOpenHistory({ path, problems }: Node, channel: DeclaredChannel) {
  const {
    private: inviteOnly,
    webPublic: isWebPublic,
    sharedHistory,
    default: isDefault,
  } = channel;
  if (sharedHistory === false && (inviteOnly === false || isWebPublic)) {
    problems.push({ path: [...path, "shared_history"], message: openHistory });
  }
  const key = isWebPublic ? "web_public" : "default";
  attempt(problems, [...path, key], () =>
    prepareChannel({ name: "any", inviteOnly, isWebPublic, isDefault }),
  );
}

function readTopicsPolicy(node: Node): TopicsPolicy | undefined {
  const given = readText(node, "topics_policy", (text) => text.trim());
  if (given === undefined) return undefined;
  return attempt(node.problems, [...node.path, "topics_policy"], () => {
    const policy = topicsPolicies.find((one) => one === given);
    if (policy) return policy;
    throw badRequest(
      `there is no policy '${given}' of topics. There is: ${topicsPolicies.join(", ")}.`,
    );
  });
}

/** `retention: 30`, `unlimited` or `realm_default`. */
function readDays({ path, fields, problems }: Node): number | null | undefined {
  const { retention } = fields;
  if (retention === undefined) return undefined;
  return attempt(problems, [...path, "retention"], () => {
    if (
      (typeof retention === "number" && Number.isInteger(retention)) ||
      typeof retention === "string"
    ) {
      const isWord = retention === "realm_default" || retention === "unlimited";
      if (isWord || (typeof retention === "number" && retention > 0))
        return readRetention(retention);
    }
    throw badRequest("retention must be a number of days, unlimited or realm_default.");
  });
}

function readSubscribers(node: Node): DeclaredChannel["subscribers"] {
  const { fields, path, problems } = node;
  if (fields.subscribers === "all") return "all";
  if (typeof fields.subscribers === "string") {
    problems.push({
      path: [...path, "subscribers"],
      message: "subscribers must be 'all' or a list of e-mail addresses.",
    });
    return undefined;
  }
  return readTexts(node, "subscribers", (text) => text.trim());
}
