import type { Reader } from "../../../db/reader";
import type { RealmRow } from "../../core/context";
import { cached } from "../../memory/cached";
import { listAllAlertWords } from "./queries";

/** All alert words of a realm in lower case, with the users who have them. */
interface WordIndex {
  users: ReadonlyMap<string, readonly number[]>;
  /** The lengths of the words, by their first character. */
  lengths: ReadonlyMap<string, readonly number[]>;
}

/** Characters that may stand before an alert word, and after it, as in the protocol's clients. */
const mayPrecede = /^[\s("'.,;[*`>]?$/;
const mayFollow = /^[\s)"'?!:.,;\]*`]?$/;

/**
 * Number of comparisons for one text, far more than any prose needs: the rest of the text is not
 * searched.
 */
const comparedMax = 100_000;

const wordIndex = cached(["alert_words"], async (reader, realmId): Promise<WordIndex> => {
  const users = new Map<string, number[]>();
  const lengths = new Map<string, number[]>();
  for (const { wordKey, userId } of await listAllAlertWords(reader, realmId)) {
    const userIds = users.get(wordKey);
    if (userIds) userIds.push(userId);
    else users.set(wordKey, [userId]);
    const first = wordKey[0] ?? "";
    const ofFirst = lengths.get(first) ?? [];
    if (!ofFirst.includes(wordKey.length)) ofFirst.push(wordKey.length);
    lengths.set(first, ofFirst);
  }
  return { users, lengths };
});

/**
 * The ids of users with an alert word in a text, whether or not they may read it. Words match as
 * whole words, ignoring case. Needs no query in an organization without alert words.
 */
export async function findAlerted(
  reader: Reader,
  realm: Pick<RealmRow, "id" | "hasAlertWords">,
  text: string,
): Promise<number[]> {
  return realm.hasAlertWords
    ? alertedBy(await wordIndex(reader, realm.id), text.toLowerCase())
    : [];
}

function alertedBy({ users, lengths }: WordIndex, text: string): number[] {
  const alerted = new Set<number>();
  if (users.size === 0) return [];
  let compared = 0;
  for (let start = 0; start < text.length && compared < comparedMax; start++) {
    const ofFirst = lengths.get(text[start] ?? "");
    if (!ofFirst || !mayPrecede.test(text[start - 1] ?? "")) continue;
    compared += ofFirst.length;
    for (const length of ofFirst) {
      const wanting = users.get(text.slice(start, start + length));
      if (!wanting || !mayFollow.test(text[start + length] ?? "")) continue;
      for (const userId of wanting) alerted.add(userId);
    }
  }
  return [...alerted];
}
