import type { Reader } from "../../../db/reader";
import type { RealmRow } from "../../core/context";
import { type Mentions, noMentions } from "../../markdown/mentions";
import { findAlerted } from "../../people/alert-words/find";

/**
 * People whom a text mentions, or whose alert words it contains, whether or not it is delivered to
 * them.
 */
export interface Attention {
  mentions: Mentions;
  alerted: readonly number[];
}

/** Attention of most texts: no mentions and no alert words. */
export const noAttention: Attention = { mentions: noMentions, alerted: [] };

/** Attention of a text with these mentions. Needs no query where nobody has alert words. */
export async function readAttention(
  reader: Reader,
  realm: RealmRow,
  source: string,
  mentions: Mentions,
): Promise<Attention> {
  const alerted = await findAlerted(reader, realm, source);
  return alerted.length === 0 && !isAnybody(mentions) ? noAttention : { mentions, alerted };
}

export const isAnybody = ({ people, groups, channelWildcard, topicWildcard }: Mentions): boolean =>
  channelWildcard || topicWildcard || people.length > 0 || groups.length > 0;
