import { messages } from "./counts";

/** Words of the list of one's own files. */
export const files = {
  andMore: (count: number) => `and ${messages(count)} more`,
  delete: "Delete",
  deleteNamed: (name: string) => `Delete: ${name}`,
  deleted: "File deleted.",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteWarning: (uses: number) =>
    uses === 0
      ? "No message links to it. This cannot be undone."
      : `Links to it in ${messages(uses)} will stop working for everyone. This cannot be undone.`,
  filter: "Filter files by name",
  none: "No files.",
  noneHelp: "Files that you upload appear here, with the messages that link to them.",
  order: "Order of the files",
  orders: {
    newest: "Newest first",
    oldest: "Oldest first",
    largest: "Largest first",
    name: "By name",
  },
  space: (own: string, used: string, allowed: string | undefined) =>
    `Your files use ${own}. The organization's files use ${used}${allowed === undefined ? "" : ` of ${allowed}`}.`,
  unused: "No message links to it.",
  usedIn: (place: string) => `In ${place}`,
};
