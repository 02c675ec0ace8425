import type { App } from "../../../core/context";
import {
  type Outbound,
  type OutboundOptions,
  outboundRequest,
} from "../../../core/network/outbound";
import type { StageWriter } from "../stage-writer";

/**
 * Number of failures in a row after which nothing more is fetched, because the token has probably
 * expired or Slack does not answer.
 */
const failuresInRowMax = 5;

export interface Fetching {
  app: App;
  writer: Pick<StageWriter, "realmId">;
  /** Whether to fetch what is not in the archive. A preview does not. */
  isFetching: boolean;
}

/** Slack's server, from which an import fetches files that the archive only links to. */
export class SlackServer {
  private failuresInRow = 0;

  constructor(private readonly fetching: Fetching) {}

  /**
   * The content at an address, or the reason why there is none, for the report. `contentOf` takes
   * the content, or the reason, from an answer.
   */
  async fetch(
    address: string,
    options: OutboundOptions,
    contentOf: (answer: Outbound) => Uint8Array | string = contentWhere200,
  ): Promise<Uint8Array | string> {
    const { app, writer, isFetching } = this.fetching;
    if (!isFetching) return "are at Slack: an import fetches them, a preview does not";
    if (this.failuresInRow >= failuresInRowMax)
      return "were not fetched, because several before them could not be fetched";
    const realm = { id: writer.realmId };
    const content = contentOf(await outboundRequest({ app, realm }, address, options));
    const isFetched = typeof content !== "string";
    this.failuresInRow = isFetched ? 0 : this.failuresInRow + 1;
    return isFetched ? content : `cannot be fetched: ${content}`;
  }
}

/** The body of an answer, or the reason why it is not the content. */
export function contentWhere200(answer: Outbound): Uint8Array | string {
  if (answer.is !== "answered") return answer.reason;
  return answer.status === 200 ? answer.body : `the answer was ${answer.status}`;
}
