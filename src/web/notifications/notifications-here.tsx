import { organization, settings } from "../store/state";
import { notificationWords as words } from "../words/notifications";
import { DeviceList } from "./device-list";
import { permission } from "./permission";
import { hasPush, isPushOn, testPush, turnPushOff, turnPushOn } from "./push";
import { showTest } from "./screen";
import { playSound } from "./sound";
import { turnOn } from "./turn-on";

/**
 * The part of the settings about this browser: whether it shows notifications, with buttons to turn
 * them on and to try them, and the list of devices.
 */
export function NotificationsHere() {
  return (
    <>
      <section class="part" aria-labelledby="notifications-here">
        <h3 id="notifications-here">{words.title}</h3>
        <div class="setting">
          <State />
        </div>
      </section>
      <DeviceList />
    </>
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
          {hasPush && <Push />}
        </>
      );
  }
}

/** Whether the server pushes to this browser, with the buttons for it. */
const Push = () => (
  <>
    <p>{isPushOn.value ? words.pushOn : words.pushOff}</p>
    <div class="choices">
      <button
        type="button"
        class="button"
        onClick={() => void (isPushOn.value ? turnPushOff() : turnPushOn())}
      >
        {isPushOn.value ? words.pushTurnOff : words.pushTurnOn}
      </button>
      {isPushOn.value && (
        <button type="button" class="button" onClick={() => void testPush()}>
          {words.pushTest}
        </button>
      )}
    </div>
  </>
);

/** Buttons that show what a notification looks and sounds like. */
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
