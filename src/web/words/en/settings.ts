import type { OwnSettings, SettingName } from "../../store/own-settings";
import { grouped, messages } from "./counts";

interface Labelled {
  readonly name: string;
  readonly help?: string;
}

/** Names of the settings that are on or off. */
export type FlagName = {
  [Name in SettingName]: OwnSettings[Name] extends boolean | null ? Name : never;
}[SettingName];

/** Settings with one of several values, with words for the values that the page offers. */
type Choices = {
  readonly [Name in SettingName]?: Labelled & {
    readonly options: Readonly<
      Partial<Record<NonNullable<OwnSettings[Name]> & PropertyKey, string>>
    >;
  };
};

const flags = {
  allow_private_data_export: {
    name: "Exports of the organization may include my private messages",
    help: "Administrators can make such an export. Without this it contains your private messages only if somebody else who received them allows it.",
  },
  automatically_follow_topics_where_mentioned: { name: "Follow topics in which I am mentioned" },
  enable_digest_emails: { name: "Mail me a digest when I have been away for a long time" },
  enable_drafts_synchronization: {
    name: "Keep my drafts on the server",
    help: "Then you find them in your other browsers and clients too.",
  },
  enable_followed_topic_wildcard_mentions_notify: {
    name: "@all and @topic in followed topics count as mentions of me",
  },
  enable_login_emails: { name: "Mail me each time somebody signs in to my account" },
  enable_online_push_notifications: {
    name: "Send notifications to my phone while I am active here",
  },
  enter_sends: {
    name: "Enter sends the message",
    help: "Without this, Ctrl Enter sends, and Enter begins a new line.",
  },
  message_content_in_email_notifications: { name: "Mails quote the message" },
  pm_content_in_desktop_notifications: { name: "Notifications quote direct messages" },
  presence_enabled: { name: "Others see when I am online" },
  send_private_typing_notifications: { name: "Others see that I am typing in direct messages" },
  send_read_receipts: { name: "Others see which messages I have read" },
  send_stream_typing_notifications: { name: "Others see that I am typing in channels" },
  starred_message_counts: { name: "Count starred messages in the list of conversations" },
  twenty_four_hour_time: { name: "Use 24-hour time" },
  web_escape_navigates_to_home_view: {
    name: "Esc goes to the home view",
    help: "If nothing is open that Esc would close.",
  },
  wildcard_mentions_notify: { name: "@all and @topic count as mentions of me" },
} satisfies { readonly [Name in FlagName]?: Labelled };

const choices = {
  automatically_follow_topics_policy: {
    name: "Follow topics",
    options: {
      1: "that I write or react in",
      2: "that I write in",
      3: "that I begin",
      4: "only by hand",
    },
  },
  automatically_unmute_topics_in_muted_streams_policy: {
    name: "In muted channels unmute topics",
    options: {
      1: "that I write or react in",
      2: "that I write in",
      3: "that I begin",
      4: "only by hand",
    },
  },
  color_scheme: {
    name: "Theme",
    options: {
      1: "Like the system",
      3: "Light",
      2: "Dark",
    },
  },
  desktop_icon_count_display: {
    name: "The title of the page counts",
    options: {
      1: "everything unread",
      2: "direct messages, mentions and followed topics",
      3: "direct messages and mentions",
      4: "nothing",
    },
  },
  email_address_visibility: {
    name: "Who can see my e-mail address",
    options: {
      1: "everybody",
      2: "everybody but guests",
      5: "moderators, administrators and owners",
      3: "administrators and owners",
      4: "nobody",
    },
  },
  email_notifications_batching_period_seconds: {
    name: "Mail me messages that I have missed",
    options: {
      120: "after 2 minutes",
      300: "after 5 minutes",
      600: "after 10 minutes",
      1800: "after 30 minutes",
      3600: "after an hour",
      21600: "after 6 hours",
      86400: "after a day",
      604800: "after a week",
    },
  },
  realm_name_in_email_notifications_policy: {
    name: "Subjects of mails name the organization",
    options: {
      1: "when I am in several",
      2: "always",
      3: "never",
    },
  },
  web_font_size_px: {
    name: "Text size",
    options: {
      12: "Smallest",
      14: "Small",
      16: "Medium",
      18: "Large",
      20: "Larger",
      24: "Largest",
    },
  },
  web_home_view: {
    name: "Home view",
    options: {
      inbox: "Inbox",
      recent: "Recent conversations",
      all_messages: "All messages",
    },
  },
  web_line_height_percent: {
    name: "Line spacing",
    options: {
      122: "Dense",
      140: "Medium",
      160: "Wide",
      180: "Widest",
    },
  },
  web_mark_read_on_scroll_policy: {
    name: "Messages that I have seen become read",
    options: {
      1: "in conversations, in channels and in all messages",
      2: "only in the view of one conversation",
      3: "never automatically",
    },
  },
} satisfies Choices;

/** Words of one's own settings. */
export const settings = {
  account: {
    deactivate: "Deactivate my account",
    deactivateHelp:
      "You are signed out everywhere, and your API keys stop working. Your messages stay. Only an administrator can reactivate the account.",
    deactivateName: (name: string) => `Type your name to confirm: ${name}`,
    email: "E-mail address",
    emailChange: "Change the address",
    emailAsked: (email: string) =>
      `A link was sent to ${email}. Until you open it, your old address stays valid.`,
    emailChanged: "This is your address now. Sign in with it from now on.",
    emailNeedsPassword: "To change it, you need a password, and you have none yet.",
    emailNew: "New address",
    emailFixed: "In this organization, administrators change addresses.",
    endOthers: "Sign out all others",
    endSession: "Sign out",
    endSessionOf: (browser: string, seen: string) => `Sign out: ${browser}, last seen ${seen}`,
    endKeys: "Revoke my API keys too: every client and program has to sign in again",
    key: "API key",
    keyGet: "Get an API key",
    keyHelp: "Bots, scripts and clients that use a zuliprc file sign in with an API key.",
    keyHide: "Hide the key",
    keyIs:
      "A new API key. Anybody who has it can do everything that you can. It is shown only once.",
    keyWithoutPassword: "You have no password yet: get a key on your account page.",
    keyWrong: "That is not your password, or there were too many attempts.",
    lastSeen: (when: string) => `last seen ${when}`,
    logOut: "Sign out of this browser",
    logOutEverywhere: "Sign out everywhere",
    page: "Your account page",
    othersEnded: "Your other browsers are signed out.",
    password: "Password",
    passwordChange: "Change the password",
    passwordChanged:
      "Changed. Your other browsers are signed out, and your API keys no longer work.",
    passwordChoose: "Choose a password",
    passwordHelp: "This signs you out of all other browsers and revokes your API keys.",
    passwordNew: "New password",
    passwordNone: "You have none yet. With a password you need no link to sign in next time.",
    passwordNow: "Current password",
    sessions: "Where you are signed in",
    sessionEnded: "That browser is signed out.",
    sessionsHelp: "If you do not recognize a browser, sign it out and change your password.",
    thisBrowser: "this browser",
  },
  alerts: {
    add: "Add",
    help: "You are notified when a direct message, or a message in one of your channels, contains one of these words. Muted channels and topics do not count.",
    none: "No alert words.",
    remove: (word: string) => `Remove: ${word}`,
    word: "Word or phrase",
  },
  appearance: {
    language: "Language",
    languageHelp: "Texts that are not translated yet are in English.",
    otherPx: (px: number) => `${px} px`,
    otherPercent: (percent: number) => `${percent} %`,
  },
  choices,
  export: {
    begin: "Export my data",
    cancel: "Cancel",
    done: (count: number) => `Exported, with ${messages(count)} that you have sent.`,
    help: "A file in JSON with your profile, your settings, channels, drafts, saved texts, reminders, a list of your files, what you have muted or starred, and all messages that you have sent.",
    progress: (count: number) => `${messages(count)} so far…`,
    save: "Save the file",
  },
  flags,
  muted: {
    none: "Nothing is muted.",
    noneHelp: "Topics are muted in their menu, people on their card.",
    people: "Muted people",
    topics: "Muted topics",
    unmute: "Unmute",
    unmuteNamed: (name: string) => `Unmute: ${name}`,
  },
  notifications: {
    ways: { desktop: "Here", audible: "Sound", push: "Phone", email: "Mail" },
    kinds: {
      direct: "Direct messages, mentions and alerts",
      followed: "Followed topics",
      channels: "All other messages of channels",
    },
    kind: "Messages",
    cell: (kind: string, way: string) => `${kind}: ${way}`,
    sound: "Sound",
    sounds: (name: string) => (name === "none" ? "None" : name.replace(/^./, toUpper)),
    tell: "Notify",
    tellHelp: "A channel's own settings may differ from these.",
    mail: "Mail",
    topics: "Topics",
  },
  organization: {
    administrators: "Administrators and owners",
    administratorsHelp: "Ask them for what you may not do yourself.",
    defaultChannels: "Channels for new people",
    defaultChannelsHelp:
      "New people join these channels automatically. You can change that on the page of a channel.",
    defaultChannelsNone:
      "New people join no channel automatically. You can change that on the page of a channel.",
    description: "Description",
    more: "More settings",
    moreHelp:
      "The operator of the server changes these, with commands on the server. Each command explains itself with --help.",
    name: "Name of the organization",
    tasks: {
      signIn: "Let somebody in who has forgotten their password",
      groups: "User groups",
      icon: "Icon of the organization",
      settings: "Permissions, time limits for editing, retention of messages",
      newUsers: "Settings that new people start with",
      fields: "Profile fields",
      linkifiers: "Patterns that become links in messages",
      bots: "Bots",
      audit: "Who has changed what",
      export: "Export the organization",
    },
  },
  picture: {
    choose: "Choose a picture",
    crop: "Choose the part to show",
    cropHelp: "Drag the picture, or move it with the arrow keys.",
    fixed: "In this organization, administrators change pictures.",
    name: "Picture",
    remove: "Remove",
    removed: "Picture removed.",
    unreadable: "This browser cannot read that file as a picture.",
    zoom: "Zoom",
  },
  profile: {
    addPerson: "Add somebody",
    byAdministrators: "Only administrators can change this.",
    fields: "More about you",
    name: "Name",
    nameFixed: "In this organization, administrators change names.",
    noChoice: "Not specified",
    removePerson: (name: string) => `Remove ${name}`,
    required: "The organization asks everybody to fill this in.",
    timezone: "Time zone",
    timezoneHere: (zone: string) => `Use this device's: ${zone}`,
    timezoneNone: "Not specified",
  },
  reading: { keys: "Keys", lists: "Lists", reading: "Reading" },
  saved: "Saved",
  saving: "Saving…",
  showMore: (count: number) => `Show ${grouped(count)} more`,
};

const toUpper = (letter: string): string => letter.toUpperCase();
