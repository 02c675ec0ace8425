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

/** An uploaded picture that has thumbnails. */
export interface UploadedPicture {
  contentType: string;
  /** In pixels. */
  width: number;
  height: number;
  isAnimated: boolean;
  /** Address of the thumbnail in messages. */
  thumbnail: string;
}

/**
 * Meanings of the names in a text of an organization. They are looked up before the text is
 * rendered.
 */
export interface Names {
  /**
   * The person with that name and, if it is given, that id. A text may have an id without a name.
   */
  person?(name: string, id: number | undefined): MentionedPerson | undefined;
  group?(name: string): MentionedGroup | undefined;
  channel?(name: string): LinkedChannel | undefined;
  /**
   * The newest message of a channel's topic that the author may read; undefined where there is
   * none.
   */
  topic?(channelId: number, topic: string): number | undefined;
  emoji?(name: string): CustomEmoji | undefined;
  /** The code of a Unicode emoji by a name that may have another meaning elsewhere. */
  unicodeEmoji?(name: string): string | undefined;
  /** Whether emoticons such as `:)` become emoji. */
  translatesEmoticons?: boolean;
  /** Linkifiers of the organization, in order. */
  linkifiers?: readonly Linkifier[];
  /**
   * The addresses of this server, such as `https://chat.example.com`: links to its own views become
   * relative.
   */
  sites?: readonly string[];
  /** Whether linked pictures and videos are shown. They are by default. */
  previewsImages?: boolean;
  /**
   * Whether an uploaded file exists at an address and the author may read it. By default every one
   * does.
   */
  isUploaded?(address: string): boolean;
  /**
   * Facts about the uploaded picture at an address; undefined for a picture that is shown in its
   * original form.
   */
  picture?(address: string): UploadedPicture | undefined;
}

/** Names for the texts that are being rendered, by the environment of each. */
const namesOf = new WeakMap<object, Names>();

/** The environment for rendering a text with these names. */
export function environmentWith(names: Names | undefined): Record<string, unknown> {
  const env = {};
  if (names) namesOf.set(env, names);
  return env;
}

/** Names of a text that is being rendered. */
export const namesIn = (env: object): Names => namesOf.get(env) ?? {};
