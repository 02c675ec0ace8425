import { changeSetting, ownSettings } from "../store/own-settings";
import { settingsWords } from "../words/settings";
import { Choice, Flag, SelectRow } from "./controls";
import { languageCodes, languageName } from "./languages";

const { appearance } = settingsWords;
const languages = languageCodes.map((code) => [code, languageName(code)] as const);

/**
 * Changes the language. The page reloads after the server has accepted it, because its texts are
 * chosen when it is loaded.
 */
async function chooseLanguage(code: string): Promise<void> {
  await changeSetting("default_language", code);
  if (ownSettings.peek().default_language === code) location.reload();
}

/** Theme, sizes and language. */
export const Appearance = () => (
  <>
    <Choice name="color_scheme" />
    <Choice name="web_font_size_px" other={appearance.otherPx} />
    <Choice name="web_line_height_percent" other={appearance.otherPercent} />
    <Flag name="twenty_four_hour_time" />
    <SelectRow
      control="default_language"
      label={appearance.language}
      help={appearance.languageHelp}
      value={ownSettings.value.default_language}
      options={languages}
      choose={(code) => void chooseLanguage(code)}
    />
  </>
);
