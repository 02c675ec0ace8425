import { effect } from "@preact/signals";
import { themes } from "../../protocol/themes";
import { settings } from "./state";

/** The values for which the design was drawn. */
const drawn = { sizePx: 16, lineHeightPercent: 140, lineHeight: 1.5 } as const;

/** Applies the theme, the text size and the line height that the person has chosen. */
export function followAppearance(): void {
  effect(() => {
    const { color_scheme, web_font_size_px, web_line_height_percent } = settings.value;
    const { dataset, style } = document.documentElement;
    const theme = themes[color_scheme];
    if (theme === undefined) delete dataset["theme"];
    else dataset["theme"] = theme;
    const size = web_font_size_px / drawn.sizePx;
    const height = (web_line_height_percent / drawn.lineHeightPercent) * drawn.lineHeight;
    // Relative to the browser's text size, because some people need larger text on all pages.
    style.setProperty("font-size", size === 1 ? "" : `${size * 100}%`);
    style.setProperty("--line-height", height === drawn.lineHeight ? "" : height.toFixed(3));
  });
}
