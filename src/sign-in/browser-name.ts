import { inLanguages, type Language } from "../core/language";

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const words = inLanguages({
  en: {
    someBrowser: "A browser",
    onSystem: (browser: string, system: string) => `${browser} on ${system}`,
  },
  de: {
    someBrowser: "Ein Browser",
    onSystem: (browser, system) => `${browser} unter ${system}`,
  },
});

/**
 * Name of a browser from its User-Agent, so that people can tell their browsers apart: `Firefox on
 * Linux`. It is stored in English.
 */
export function browserName(userAgent: string | null, language: Language = "en"): string {
  const nameIn = (names: typeof browsers) =>
    names.find(([form]) => form.test(userAgent ?? ""))?.[1];
  const { someBrowser, onSystem } = words(language);
  const browser = nameIn(browsers) ?? someBrowser;
  const system = nameIn(systems);
  return system === undefined ? browser : onSystem(browser, system);
}

/** A stored name of a browser in another language. */
export function browserNameIn(stored: string, language: Language): string {
  const english = words("en");
  const { someBrowser, onSystem } = words(language);
  const system = systems.map(([, name]) => name).find((name) => stored.endsWith(` on ${name}`));
  const browser = [...browsers.map(([, name]) => name), english.someBrowser].find(
    (name) => stored === (system === undefined ? name : english.onSystem(name, system)),
  );
  if (browser === undefined) return stored;
  const spoken = browser === english.someBrowser ? someBrowser : browser;
  return system === undefined ? spoken : onSystem(spoken, system);
}
