import type { Reader } from "../../../db/reader";
import type { RealmRow } from "../../core/context";
import { type Mentions, noMentions } from "../../markdown/mentions";
import { findAlerted } from "../../people/alert-words/find";

/**
 * People whose attention a text asks for: whom it mentions, and whose alert words are in it,
 * whether it comes to them or not.
 */
export interface Attention {
  mentions: Mentions;
  alerted: readonly number[];
}

/** Attention that most texts ask for: nobody's. */
export const noAttention: Attention = { mentions: noMentions, alerted: [] };

/**
 * People whose attention a text asks for that was rendered with these mentions. Reads nothing where
 * nobody has alert words.
 */
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
