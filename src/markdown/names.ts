import type { Linkifier } from "./linkifiers";

/** A person whom a message names. */
export interface MentionedPerson {
  id: number;
  fullName: string;
  isActive: boolean;
}

/** A user group that a text names. */
export interface MentionedGroup {
  id: number;
  name: string;
  isActive: boolean;
}

/** A channel that a text names. */
export interface LinkedChannel {
  id: number;
  name: string;
}

/** An emoji of the organization's own. */
export interface CustomEmoji {
  /** The address of its picture. */
  url: string;
}

/** A picture among the uploaded files, of which there are smaller forms. */
export interface UploadedPicture {
  contentType: string;
  /** In pixels. */
  width: number;
  height: number;
  isAnimated: boolean;
  /** Address of the form that messages show. */
  thumbnail: string;
}

/** Meanings of a text's names in an organization, as far as they were looked up for rendering. */
export interface Names {
  /** The person of that name and, where one is given, that id; an id may stand without a name. */
  person?(name: string, id: number | undefined): MentionedPerson | undefined;
  group?(name: string): MentionedGroup | undefined;
  channel?(name: string): LinkedChannel | undefined;
  /**
   * The newest message of a channel's topic that whoever writes may read; undefined where there is
   * none.
   */
  topic?(channelId: number, topic: string): number | undefined;
  emoji?(name: string): CustomEmoji | undefined;
  /** The code of a Unicode emoji whose name may mean another one elsewhere. */
  unicodeEmoji?(name: string): string | undefined;
  /** Whether emoticons as `:)` become emoji. */
  translatesEmoticons?: boolean;
  /** Linkifiers of the organization, in the order in which they are tried. */
  linkifiers?: readonly Linkifier[];
  /**
   * The addresses of this server, as `https://chat.example.com`: links to its own views become
   * relative.
   */
  sites?: readonly string[];
  /** Whether pictures and films that are linked to are shown; they are, unless this is false. */
  previewsImages?: boolean;
  /**
   * Whether there is an uploaded file at an address, as far as the writer may know; all are there,
   * unless this says otherwise.
   */
  isUploaded?(address: string): boolean;
  /** Facts about the uploaded picture at an address; undefined where it is shown as it is. */
  picture?(address: string): UploadedPicture | undefined;
}

/** Names of the texts that are being rendered, by the environment of each. */
const namesOf = new WeakMap<object, Names>();

/** The environment in which the parser renders a text with these names. */
export function environmentWith(names: Names | undefined): Record<string, unknown> {
  const env = {};
  if (names) namesOf.set(env, names);
  return env;
}

/** Names of a text that is being rendered. */
export const namesIn = (env: object): Names => namesOf.get(env) ?? {};
