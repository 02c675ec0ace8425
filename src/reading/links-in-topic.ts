import type { Reader } from "../../db/reader";
import type { RealmRow } from "../core/context";
import { type TopicLink, topicLinks } from "../markdown/linkifiers";
import { listLinkifiers } from "../realm/linkifiers/queries";

/**
 * The links in a topic, as in message objects and events. Needs no query where the organization has
 * no linkifiers.
 */
export async function linksInTopic(
  reader: Reader,
  realm: RealmRow,
  topic: string,
): Promise<TopicLink[]> {
  return topicLinks(topic, realm.hasLinkifiers ? await listLinkifiers(reader, realm.id) : []);
}
