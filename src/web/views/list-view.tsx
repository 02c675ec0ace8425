import { Rare } from "../parts/rare";
import { place } from "../store/place";
import { DraftsView } from "./drafts";
import { Head } from "./head";
import { Inbox } from "./inbox";
import { Recent } from "./recent";
import { Topics } from "./topics";

/** A view that lists conversations or texts. */
export function ListView() {
  switch (place.value.view) {
    case "inbox":
      return <Inbox />;
    case "recent":
      return <Recent />;
    case "topics":
      return <Topics />;
    default:
      return (
        <>
          <Head />
          <Texts />
        </>
      );
  }
}

/** Unsent texts, other things that the person has saved for later, and the settings. */
function Texts() {
  switch (place.value.view) {
    case "scheduled":
      return <Rare name="later" draw={({ Scheduled }) => <Scheduled />} />;
    case "reminders":
      return <Rare name="later" draw={({ Reminders }) => <Reminders />} />;
    case "snippets":
      return <Rare name="later" draw={({ Snippets }) => <Snippets />} />;
    case "channels":
      return <Rare name="settings" draw={({ ChannelsView }) => <ChannelsView />} />;
    case "invitations":
      return <Rare name="settings" draw={({ Invitations }) => <Invitations />} />;
    case "ownFiles":
      return <Rare name="later" draw={({ Files }) => <Files />} />;
    case "settings":
      return <Rare name="settings" draw={({ SettingsView }) => <SettingsView />} />;
    default:
      return <DraftsView />;
  }
}
