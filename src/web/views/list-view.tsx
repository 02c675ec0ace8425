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
          <DraftsView />
        </>
      );
  }
}
