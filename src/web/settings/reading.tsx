import { singleKeys } from "../store/choices";
import { keyWords } from "../words/keys";
import { settingsWords } from "../words/settings";
import { Choice, Flag, Part, SwitchRow } from "./controls";

const { reading } = settingsWords;

/** Settings for when messages become read, and for keys. */
export const Reading = () => (
  <>
    <Part name={reading.reading}>
      <Choice name="web_mark_read_on_scroll_policy" />
      <Choice name="web_home_view" />
    </Part>
    <Part name={reading.keys}>
      <Flag name="enter_sends" />
      <SwitchRow
        control="single keys"
        label={keyWords.singleKeys}
        isOn={singleKeys.value === "on"}
        choose={(isOn) => {
          singleKeys.value = isOn ? "on" : "off";
        }}
      />
      <Flag name="web_escape_navigates_to_home_view" />
    </Part>
    <Part name={reading.lists}>
      <Flag name="starred_message_counts" />
      <Flag name="enable_drafts_synchronization" />
    </Part>
  </>
);
