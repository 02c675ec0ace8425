import { grouped, plural } from "./counts";

/** Words about the organization's own emoji: their list, and the forms that add and remove one. */
export const emoji = {
  add: "Add",
  added: (name: string) => `:${name}: is added.`,
  addOne: "Add an emoji",
  by: (name: string) => `by ${name}`,
  choose: "Choose a picture",
  drop: "or drop one here",
  found: (count: number) =>
    plural.select(count) === "one" ? "1 emoji" : `${grouped(count)} emoji`,
  gone: (name: string) => `:${name}: has been removed already.`,
  help: "Everybody in the organization can use these in messages, as reactions and in a status.",
  name: "Name",
  nameFaults: {
    builtIn: (name: string) =>
      `:${name}: is an emoji that everybody has. Only administrators may replace it.`,
    characters: () =>
      "A name has only lowercase letters from a to z, digits, dashes, underscores and periods.",
    empty: () => "Give the emoji a name.",
    end: () => "A name ends in a letter or digit.",
    taken: (name: string) => `There is a custom emoji :${name}: already.`,
  },
  nameHelp: "People write it between colons, for example :party_cat:",
  none: "There are no custom emoji yet.",
  noneFound: "No custom emoji has this name or author.",
  picture: "Picture",
  pictureHelp: (movingMib: number) =>
    `A PNG, JPEG, WebP or GIF. It is shown small, at most 64 pixels wide and high. Only a GIF can be animated. An animated one may have at most ${grouped(movingMib)} MiB.`,
  pictureLarge: (mib: number) => `A picture may have at most ${grouped(mib)} MiB.`,
  pictureMissing: "Choose a picture first.",
  pictureUnreadable: "This file is no picture that the browser can read.",
  readNote: "Read the note at the name, then choose “Add” again.",
  remove: "Remove",
  removed: (name: string) => `:${name}: is removed.`,
  removeHelp:
    "It cannot be chosen any more. Messages, reactions and statuses that have it keep it, and its name is free again.",
  removeNamed: (name: string) => `Remove :${name}:`,
  replaces: (name: string) =>
    `:${name}: is an emoji that everybody has. Yours takes its place for the whole organization.`,
  search: "Find emoji",
  title: "Custom emoji",
};
