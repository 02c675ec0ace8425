import { changeSetting, type OwnSettings, ownSettings } from "../store/own-settings";
import { settings } from "../store/state";
import { settingsWords } from "../words/settings";
import { BrowserNotifications } from "./browser-notifications";
import { Choice, Flag, Part, SelectRow } from "./controls";
import { SavingNote } from "./saving-note";

const { notifications } = settingsWords;
type Kind = keyof typeof notifications.kinds;
type Way = keyof typeof notifications.ways;

/** The notification settings for each kind of messages. */
const grid = {
  direct: {
    desktop: "enable_desktop_notifications",
    audible: "enable_sounds",
    push: "enable_offline_push_notifications",
    email: "enable_offline_email_notifications",
  },
  followed: {
    desktop: "enable_followed_topic_desktop_notifications",
    audible: "enable_followed_topic_audible_notifications",
    push: "enable_followed_topic_push_notifications",
    email: "enable_followed_topic_email_notifications",
  },
  channels: {
    desktop: "enable_stream_desktop_notifications",
    audible: "enable_stream_audible_notifications",
    push: "enable_stream_push_notifications",
    email: "enable_stream_email_notifications",
  },
} as const satisfies { readonly [Name in Kind]?: Readonly<Record<Way, keyof OwnSettings>> };

const kinds = ["direct", "followed", "channels"] as const;
const ways = ["desktop", "audible", "push", "email"] as const;
type Cell = (typeof grid)[(typeof kinds)[number]][Way];

/** Settings for which messages the person is notified of, and how. */
export const Notifications = () => (
  <>
    <BrowserNotifications />
    <Part name={notifications.tell}>
      <Grid />
      <p class="quiet">{notifications.tellHelp}</p>
      <Wildcards />
      <Sounds />
      <Flag name="pm_content_in_desktop_notifications" />
      <Flag name="enable_online_push_notifications" />
      <Choice name="desktop_icon_count_display" />
    </Part>
    <Part name={notifications.topics}>
      <Choice name="automatically_follow_topics_policy" />
      <Flag name="automatically_follow_topics_where_mentioned" />
      <Choice name="automatically_unmute_topics_in_muted_streams_policy" />
    </Part>
    <Part name={notifications.mail}>
      <Choice
        name="email_notifications_batching_period_seconds"
        other={(seconds) => `${seconds} s`}
      />
      <Flag name="message_content_in_email_notifications" />
      <Choice name="realm_name_in_email_notifications_policy" />
      <Flag name="enable_digest_emails" />
      <Flag name="enable_login_emails" />
    </Part>
  </>
);

const Grid = () => (
  <table class="ways">
    <thead>
      <tr>
        <th scope="col">{notifications.kind}</th>
        {ways.map((way) => (
          <th key={way} scope="col">
            {notifications.ways[way]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {kinds.map((kind) => (
        <tr key={kind}>
          <th scope="row">{notifications.kinds[kind]}</th>
          {ways.map((way) => (
            <td key={way}>
              <Box name={grid[kind][way]} label={cellName(kind, way)} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const cellName = (kind: Kind, way: Way): string =>
  notifications.cell(notifications.kinds[kind], notifications.ways[way]);

const Box = ({ name, label }: { name: Cell; label: string }) => (
  <>
    <label>
      <span class="visually-hidden">{label}</span>
      <input
        type="checkbox"
        checked={ownSettings.value[name]}
        onChange={({ currentTarget }) => void changeSetting(name, currentTarget.checked)}
      />
    </label>
    <SavingNote control={name} />
  </>
);

/** Whether wildcard mentions count as mentions of the person. */
const Wildcards = () => (
  <>
    <Flag name="wildcard_mentions_notify" />
    <Flag name="enable_followed_topic_wildcard_mentions_notify" />
  </>
);

function Sounds() {
  const sounds = ["none", ...settings.value.available_notification_sounds];
  return (
    <SelectRow
      control="notification_sound"
      label={notifications.sound}
      value={ownSettings.value.notification_sound}
      options={sounds.map((name) => [name, notifications.sounds(name)])}
      choose={(name) => {
        const sound = soundNames.find((one) => one === name);
        if (sound !== undefined) void changeSetting("notification_sound", sound);
      }}
    />
  );
}

const soundNames = ["none", "chime", "ding", "zulip"] as const;
