import type { Command } from "commander";
import { withConsent } from "./consent";
import { withIfMissing } from "./if-missing";
import { withChannelSettings, withRealm } from "./options";

/** Adds the commands about channels. */
export function addChannelCommands(channel: Command) {
  withRealm(channel.command("list"))
    .description("list the channels")
    .option("--archived", "include archived ones")
    .action(async (options) => (await import("./admin/channel")).listChannels(options));

  withChannelSettings(withIfMissing(withRealm(channel.command("create"))))
    .description("make a channel")
    .argument("<name>")
    .option("--private", "only its subscribers read it")
    .option("--web-public", "everybody reads it, without an account too")
    .option("--subscriber <email...>", "who is in it from the start")
    .option("--announce", "tell the organization, where it has a channel for that")
    .action(async (name, options) =>
      (await import("./admin/channel")).createChannel(name, options),
    );

  withChannelSettings(withRealm(channel.command("update")))
    .description("rename or describe a channel, or change its access and permissions")
    .argument("<channel>")
    .option("--name <name>", "what it is to be called")
    .option("--private", "only its subscribers may read it")
    .option("--no-private", "everybody but guests is to read it")
    .option("--web-public", "everybody is to read it, without an account too")
    .option("--no-web-public", "only people with an account may read it")
    .option(
      "--no-shared-history",
      "new subscribers of a private channel read only messages sent from then on",
    )
    .option("--no-default", "new members are not to be put into it")
    .action(async (name, options) =>
      (await import("./admin/channel")).updateChannel(name, options),
    );
  addFurtherCommands(channel);
}

function addFurtherCommands(channel: Command) {
  withRealm(channel.command("archive"))
    .description("keep a channel for reading only")
    .argument("<channel>")
    .action(async (name, options) =>
      (await import("./admin/channel")).archiveChannel(name, options),
    );

  withRealm(channel.command("unarchive"))
    .description("let people send to a channel again")
    .argument("<channel>")
    .action(async (name, options) =>
      (await import("./admin/channel")).unarchiveChannel(name, options),
    );

  withRealm(channel.command("renew-addresses"))
    .description("replace the e-mail addresses of a channel: mail to the old ones arrives no more")
    .argument("<channel>")
    .action(async (name, options) =>
      (await import("./admin/channel")).renewAddresses(name, options),
    );

  withRealm(channel.command("subscribe"))
    .description("put people and bots into a channel")
    .argument("<channel>")
    .argument("<email...>")
    .action(async (name, emails, options) =>
      (await import("./admin/channel")).subscribe(name, emails, options),
    );

  withRealm(channel.command("unsubscribe"))
    .description("take people and bots out of a channel")
    .argument("<channel>")
    .argument("<email...>")
    .action(async (name, emails, options) =>
      (await import("./admin/channel")).unsubscribe(name, emails, options),
    );
}

/** Adds the commands about groups of channels that newcomers may choose. */
export function addDefaultGroupCommands(group: Command) {
  withRealm(group.command("list"))
    .description("list the groups with their channels")
    .action(async (options) => (await import("./admin/default-group")).listDefaultGroups(options));
  withIfMissing(withRealm(group.command("create")))
    .description("make a group of channels that newcomers may choose")
    .argument("<name>")
    .option("--description <text>", "what newcomers find in it", "")
    .option("--channel <name...>", "its channels")
    .action(async (name, options) =>
      (await import("./admin/default-group")).createDefaultGroup(name, options),
    );
  withRealm(group.command("update"))
    .description("rename or describe a group")
    .argument("<group>")
    .option("--name <name>", "what it is to be called")
    .option("--description <text>", "what newcomers find in it")
    .action(async (name, options) =>
      (await import("./admin/default-group")).updateDefaultGroup(name, options),
    );
  const channels = group.command("channels").description("the channels of a group");
  for (const [verb, description] of [
    ["add", "put channels into a group"],
    ["remove", "take channels out of a group"],
  ] as const) {
    const command = withRealm(channels.command(verb));
    (verb === "add" ? withIfMissing(command) : command)
      .description(description)
      .argument("<group>")
      .argument("<channel...>")
      .action(async (name, names, options) =>
        (await import("./admin/default-group")).changeChannels(name, verb, names, options),
      );
  }
  withRealm(group.command("remove"))
    .description("remove a group; its channels stay")
    .argument("<group>")
    .action(async (name, options) =>
      (await import("./admin/default-group")).removeDefaultGroup(name, options),
    );
}

/** Adds the commands about topics. */
export function addTopicCommands(topic: Command) {
  withConsent(withRealm(topic.command("delete")))
    .description("delete all messages of a topic")
    .argument("<channel>")
    .argument("<topic>")
    .action(async (channel, name, options) =>
      (await import("./admin/topic")).deleteTopic(channel, name, options),
    );
}
