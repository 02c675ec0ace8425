import { effect } from "@preact/signals";
import { settings } from "./state";

/** Themes that people choose in place of their system's, by the value of `color_scheme`. */
const themes: Readonly<Record<number, string>> = { 2: "dark", 3: "light" };

/** Values with which the look is as it was drawn. */
const drawn = { sizePx: 16, lineHeightPercent: 140, lineHeight: 1.5 } as const;

/** Draws the page in the theme, the size and the height of lines that the person has chosen. */
export function followAppearance(): void {
  effect(() => {
    const { color_scheme, web_font_size_px, web_line_height_percent } = settings.value;
    const { dataset, style } = document.documentElement;
    const theme = themes[color_scheme];
    if (theme === undefined) delete dataset["theme"];
    else dataset["theme"] = theme;
    const size = web_font_size_px / drawn.sizePx;
    const height = (web_line_height_percent / drawn.lineHeightPercent) * drawn.lineHeight;
    // Of the size that the browser is set to, because some people need all pages larger.
    style.setProperty("font-size", size === 1 ? "" : `${size * 100}%`);
    style.setProperty("--line-height", height === drawn.lineHeight ? "" : height.toFixed(3));
  });
}
