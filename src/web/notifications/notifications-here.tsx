import { organization, settings } from "../store/state";
import { notificationWords as words } from "../words/notifications";
import { permission } from "./permission";
import { showTest } from "./screen";
import { playSound } from "./sound";
import { turnOn } from "./turn-on";

/**
 * Whether this browser shows notifications, with the buttons that turn them on and try them. The
 * settings have a place for it.
 */
export function NotificationsHere() {
  return (
    <section class="part" aria-labelledby="notifications-here">
      <h3 id="notifications-here">{words.title}</h3>
      <div class="setting">
        <State />
      </div>
    </section>
  );
}

function State() {
  switch (permission.value) {
    case "unsupported":
      return <p>{words.unsupported}</p>;
    case "denied":
      return (
        <p>
          {words.refused} {words.refusedHelp}
        </p>
      );
    case "default":
      return (
        <>
          <p>{words.off}</p>
          <button type="button" class="button primary" onClick={() => void turnOn()}>
            {words.turnOn}
          </button>
        </>
      );
    case "granted":
      return (
        <>
          <p>{words.on}</p>
          <Trials />
        </>
      );
  }
}

/** Buttons that show what a message will look and sound like. */
function Trials() {
  const sound = settings.value.notification_sound;
  return (
    <div class="choices">
      <button type="button" class="button" onClick={() => void showTest(organization.value.name)}>
        {words.test}
      </button>
      {sound !== "none" && (
        <button type="button" class="button" onClick={() => void playSound(sound)}>
          {words.playSound}
        </button>
      )}
    </div>
  );
}
