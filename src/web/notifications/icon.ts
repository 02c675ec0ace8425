import { effect } from "@preact/signals";
import { type IconMark, shortCount } from "../model/icon-count";
import { iconMark } from "../store/inbox";
import { organization } from "../store/state";

/*
 * The icon of the tab, with the number of unread messages. It is drawn here, so that nothing is
 * requested for it.
 */

/**
 * The icon's colours. They do not depend on the theme, because the browser's own surface is behind
 * it.
 */
const colours = { ground: "#4150c5", ink: "#ffffff", mark: "#b3261e" };

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => escapes[sign] ?? "");

const textAt = (x: number, y: number, size: number, text: string): string =>
  `<text x="${x}" y="${y}" font-family="system-ui,sans-serif" font-weight="700" font-size="${size}" ` +
  `text-anchor="middle" fill="${colours.ink}">${escaped(text)}</text>`;

function drawnMark(mark: IconMark): string {
  if (mark.kind === "none") return "";
  if (mark.kind === "dot") return `<circle cx="50" cy="14" r="12" fill="${colours.mark}"/>`;
  const text = shortCount(mark.count);
  const width = 18 + 14 * text.length;
  return (
    `<rect x="${64 - width}" y="30" width="${width}" height="34" rx="14" fill="${colours.mark}"/>` +
    textAt(64 - width / 2, 56, 26, text)
  );
}

/** An icon as a data URL: the first letter of a name, and a mark. */
function iconAddress(name: string, mark: IconMark): string {
  const [letter = ""] = name.trim().toWellFormed();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">' +
    `<rect width="64" height="64" rx="15" fill="${colours.ground}"/>` +
    `${textAt(32, 46, 40, letter.toUpperCase())}${drawnMark(mark)}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Shows unread messages in the icon of the tab, and in that of the installed app. */
export function followIcon(): void {
  const link = iconLink();
  effect(() => {
    link.href = iconAddress(organization.value.name, iconMark.value);
    showBadge(iconMark.value);
  });
}

function iconLink(): HTMLLinkElement {
  const before = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (before) return before;
  const link = document.createElement("link");
  link.rel = "icon";
  document.head.append(link);
  return link;
}

/** The badge of an installed app. A browser may refuse it if the page is not installed. */
function showBadge(mark: IconMark): void {
  if (!("setAppBadge" in navigator)) return;
  const isShown =
    mark.kind === "none"
      ? navigator.clearAppBadge()
      : navigator.setAppBadge(mark.kind === "count" ? mark.count : undefined);
  isShown.catch(() => undefined);
}
