import type { Command } from "commander";
import { withConsent } from "./consent";
import { withExamples } from "./examples";
import { withIfMissing } from "./if-missing";
import { withChannelSettings, withRealm } from "./options";

const webPublicHelp =
  "everybody may read it, even without an account; needs web_public_streams_enabled = true in the configuration and chatd admin realm update enable_spectator_access=true";

/** Adds the commands about channels. */
export function addChannelCommands(channel: Command) {
  withExamples(withRealm(channel.command("list")), "chatd admin channel list --archived")
    .description("list the channels")
    .option("--archived", "include archived ones")
    .action(async (options) => (await import("./admin/channel")).listChannels(options));

  withExamples(
    withChannelSettings(withIfMissing(withRealm(channel.command("create")))),
    "chatd admin channel create announcements --description 'Read me' --default --if-missing",
    "chatd admin channel create board --private --subscriber bob@example.com eve@example.com",
  )
    .description("create a channel")
    .argument("<name>")
    .option("--private", "only its subscribers may read it")
    .option("--web-public", webPublicHelp)
    .option("--subscriber <email...>", "its first members")
    .option("--announce", "announce it, if the organization has a channel for announcements")
    .action(async (name, options) =>
      (await import("./admin/channel")).createChannel(name, options),
    );

  withExamples(
    withChannelSettings(withRealm(channel.command("update"))),
    "chatd admin channel update board --no-shared-history --retention 365",
    "chatd admin channel update announcements --permission can_send_message_group=role:moderators",
  )
    .description("change a channel's name, description, access and permissions")
    .argument("<channel>")
    .option("--name <name>", "its new name")
    .option("--private", "only its subscribers may read it")
    .option("--no-private", "everybody except guests may read it")
    .option("--web-public", webPublicHelp)
    .option("--no-web-public", "only people with an account may read it")
    .option(
      "--no-shared-history",
      "new subscribers of a private channel may read only messages sent after they joined",
    )
    .option("--no-default", "do not subscribe new people to it")
    .action(async (name, options) =>
      (await import("./admin/channel")).updateChannel(name, options),
    );
  addFurtherCommands(channel);
}

function addFurtherCommands(channel: Command) {
  withExamples(withRealm(channel.command("archive")), "chatd admin channel archive party-2024")
    .description("archive a channel: its messages stay, but nobody can send to it")
    .argument("<channel>")
    .action(async (name, options) =>
      (await import("./admin/channel")).archiveChannel(name, options),
    );

  withExamples(withRealm(channel.command("unarchive")), "chatd admin channel unarchive party-2024")
    .description("unarchive a channel, so that people can send to it again")
    .argument("<channel>")
    .action(async (name, options) =>
      (await import("./admin/channel")).unarchiveChannel(name, options),
    );

  withExamples(
    withRealm(channel.command("address")),
    "chatd admin channel address support --config chatd.toml",
    "chatd admin channel address support --sender desk-bot@chat.example.com",
  )
    .description("print the e-mail address of a channel: mail to it becomes messages there")
    .argument("<channel>")
    .option("--sender <email>", "the bot that sends these messages (default: the e-mail gateway)")
    .action(async (name, options) => (await import("./admin/channel")).showAddress(name, options));

  withExamples(
    withRealm(channel.command("renew-addresses")),
    "chatd admin channel renew-addresses support",
  )
    .description(
      "replace the e-mail addresses of a channel, so that mail to the old ones no longer arrives, and print the new one",
    )
    .argument("<channel>")
    .action(async (name, options) =>
      (await import("./admin/channel")).renewAddresses(name, options),
    );

  withExamples(
    withRealm(channel.command("subscribe")),
    "chatd admin channel subscribe general bob@example.com eve@example.com",
  )
    .description("subscribe people and bots to a channel")
    .argument("<channel>")
    .argument("<email...>")
    .action(async (name, emails, options) =>
      (await import("./admin/channel")).subscribe(name, emails, options),
    );

  withExamples(
    withRealm(channel.command("unsubscribe")),
    "chatd admin channel unsubscribe general bob@example.com",
  )
    .description("unsubscribe people and bots from a channel")
    .argument("<channel>")
    .argument("<email...>")
    .action(async (name, emails, options) =>
      (await import("./admin/channel")).unsubscribe(name, emails, options),
    );
}

/** Adds the commands about groups of channels that newcomers may choose. */
export function addDefaultGroupCommands(group: Command) {
  withExamples(withRealm(group.command("list")), "chatd admin default-group list")
    .description("list the groups with their channels")
    .action(async (options) => (await import("./admin/default-group")).listDefaultGroups(options));
  withExamples(
    withIfMissing(withRealm(group.command("create"))),
    "chatd admin default-group create Engineering --channel backend frontend --if-missing",
  )
    .description("create a group of channels that new people may choose")
    .argument("<name>")
    .option("--description <text>", "a description for new people", "")
    .option("--channel <name...>", "its channels")
    .action(async (name, options) =>
      (await import("./admin/default-group")).createDefaultGroup(name, options),
    );
  withExamples(
    withRealm(group.command("update")),
    "chatd admin default-group update Engineering --description 'Builders'",
  )
    .description("change a group's name or description")
    .argument("<group>")
    .option("--name <name>", "its new name")
    .option("--description <text>", "a description for new people")
    .action(async (name, options) =>
      (await import("./admin/default-group")).updateDefaultGroup(name, options),
    );
  const channels = group.command("channels").description("the channels of a group");
  for (const [verb, description] of [
    ["add", "put channels into a group"],
    ["remove", "take channels out of a group"],
  ] as const) {
    const command = withExamples(
      withRealm(channels.command(verb)),
      `chatd admin default-group channels ${verb} Engineering devops`,
    );
    (verb === "add" ? withIfMissing(command) : command)
      .description(description)
      .argument("<group>")
      .argument("<channel...>")
      .action(async (name, names, options) =>
        (await import("./admin/default-group")).changeChannels(name, verb, names, options),
      );
  }
  withExamples(withRealm(group.command("remove")), "chatd admin default-group remove Engineering")
    .description("remove a group; its channels stay")
    .argument("<group>")
    .action(async (name, options) =>
      (await import("./admin/default-group")).removeDefaultGroup(name, options),
    );
}

/** Adds the commands about topics. */
export function addTopicCommands(topic: Command) {
  withExamples(
    withConsent(withRealm(topic.command("delete"))),
    "chatd admin topic delete general 'test messages' --dry-run",
    "chatd admin topic delete general 'test messages' --yes",
  )
    .description("delete all messages of a topic")
    .argument("<channel>")
    .argument("<topic>")
    .action(async (channel, name, options) =>
      (await import("./admin/topic")).deleteTopic(channel, name, options),
    );
}
