import type { Audience } from "../core/audience";
import type { LoggedEvent } from "../core/context";
import { makeRandomId } from "../core/secrets/secrets";

/** An event that is not stored, for the other nodes. */
export interface Ephemeral {
  realmId: number;
  audience: Audience;
  event: LoggedEvent;
}

/**
 * Limit of one notification in bytes. PostgreSQL allows fewer than 8,000, including the name of the
 * sender.
 */
const partBytesMax = 7_000;
/** Number of bytes in each part of a long text. Parts are encoded in base64. */
const pieceBytes = 5_000;
/**
 * Number of incomplete texts that are kept. If there are more, the oldest is dropped, because one
 * of its parts was lost.
 */
const incompleteMax = 100;
const partForm = /^part (\S+) (\d+) (\d+) (\S+)$/;

/** Notifications for the other nodes: one text, or the parts of a long event. */
export function relayTexts(ephemeral: Ephemeral): string[] {
  const text = JSON.stringify(ephemeral);
  const bytes = Buffer.from(text);
  if (bytes.length <= partBytesMax) return [text];
  const count = Math.ceil(bytes.length / pieceBytes);
  const name = makeRandomId();
  return Array.from({ length: count }, (_, index) => {
    const piece = bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes);
    return `part ${name} ${index} ${count} ${piece.toString("base64")}`;
  });
}

/** Joins the parts that other nodes have sent. They may arrive in any order. */
export class RelayInbox {
  private readonly incomplete = new Map<string, Map<number, Buffer>>();

  /**
   * The event of a complete text, or of a text that this part completes; undefined while parts are
   * missing.
   */
  take(text: string): Ephemeral | undefined {
    const [, name, index, count, piece] = partForm.exec(text) ?? [];
    if (name === undefined || piece === undefined) return parseEphemeral(text);
    const pieces = this.piecesOf(name);
    pieces.set(Number(index), Buffer.from(piece, "base64"));
    if (pieces.size < Number(count)) return undefined;
    this.incomplete.delete(name);
    const ordered = [...pieces].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
    return parseEphemeral(Buffer.concat(ordered).toString());
  }

  private piecesOf(name: string): Map<number, Buffer> {
    const existing = this.incomplete.get(name);
    if (existing) return existing;
    const [oldest] = this.incomplete.keys();
    if (oldest !== undefined && this.incomplete.size >= incompleteMax)
      this.incomplete.delete(oldest);
    const pieces = new Map<number, Buffer>();
    this.incomplete.set(name, pieces);
    return pieces;
  }
}

/** JSON that a node of this server wrote. */
function parseEphemeral(json: string): Ephemeral {
  return JSON.parse(json);
}
