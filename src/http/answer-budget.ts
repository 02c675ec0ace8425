import { hasAccount } from "../core/account";
import type { Context } from "../core/context";
import type { Endpoint } from "../core/endpoint";
import { serverBusy } from "../core/errors";
import { longBytes } from "./answer-text";

/**
 * The part of the budget that one person or one address may take, because there must be room for
 * everybody else.
 */
const ownPart = 1 / 8;
/**
 * Size from which an endpoint's last answer counts: the next answer of unannounced length is
 * expected to be as long.
 */
const rememberedBytesMin = 262_144;
const rememberedMax = 10_000;

/**
 * Counts the bytes of all answers that a node is making or sending. A request that only waits is
 * not counted.
 */
export class AnswerBudget {
  private inProgress = 0;
  private readonly byOwner = new Map<string, number>();
  /** Lengths of the last answers, by organization and endpoint. */
  readonly lastSizes = new Map<string, number>();

  constructor(private readonly sizeBytesMax: number) {}

  /**
   * Refuses (SERVER_BUSY, 503) if, with these bytes, one owner would use more than their share, or
   * all owners together more than the whole budget.
   */
  requireRoom(owner: string, sizeBytes: number, added: number) {
    const ofOwner = (this.byOwner.get(owner) ?? 0) + added;
    const all = this.inProgress + added;
    // If no other answer is in progress, an answer is always made, whatever length the operator
    // allows.
    const isTooMuchOfOne = ofOwner > this.sizeBytesMax * ownPart && ofOwner > sizeBytes;
    const isTooMuchOfAll = all > this.sizeBytesMax && all > sizeBytes;
    if (isTooMuchOfOne || isTooMuchOfAll) throw serverBusy();
  }

  take(owner: string, sizeBytes: number) {
    this.inProgress += sizeBytes;
    this.byOwner.set(owner, (this.byOwner.get(owner) ?? 0) + sizeBytes);
  }

  giveBack(owner: string, sizeBytes: number) {
    this.inProgress -= sizeBytes;
    const ofOwner = (this.byOwner.get(owner) ?? 0) - sizeBytes;
    if (ofOwner > 0) this.byOwner.set(owner, ofOwner);
    else this.byOwner.delete(owner);
  }

  /** Remembers the length of an answer; an answer that is short again is forgotten. */
  remember(kind: string, sizeBytes: number) {
    if (sizeBytes < rememberedBytesMin) {
      if (this.lastSizes.size > 0) this.lastSizes.delete(kind);
      return;
    }
    if (this.lastSizes.size >= rememberedMax) this.lastSizes.clear();
    this.lastSizes.set(kind, sizeBytes);
  }
}

/**
 * The bytes of one answer, from when they are expected until they are sent or nobody waits for them
 * any more.
 */
export class Answering {
  private owner: string | undefined;
  private sizeBytes = 0;
  private kind: string | undefined;
  /**
   * Whether the answer may still be refused: not after a write, because the client would then
   * repeat the write.
   */
  private mayRefuse = true;

  constructor(
    private readonly budget: AnswerBudget,
    private readonly address: () => string,
  ) {}

  /** Starts to count for the person who sent the request. */
  begin({ actor, realm }: Context, { method, path }: Endpoint) {
    if (hasAccount(actor)) this.owner = `user ${actor.user.id}`;
    this.kind = `${realm.id} ${method} ${path}`;
    this.mayRefuse = method === "GET";
    const last = this.budget.lastSizes.size > 0 ? this.budget.lastSizes.get(this.kind) : undefined;
    if (last !== undefined) this.resize(last);
  }

  /** Called by a verb with the expected length of the answer: 0 if it is not known yet. */
  expect(sizeBytes: number) {
    this.kind = undefined;
    this.resize(sizeBytes);
  }

  /** Called when the answer is made; a short one is passed to the network at once. */
  made(sizeBytes: number) {
    if (this.kind !== undefined) this.budget.remember(this.kind, sizeBytes);
    this.resize(sizeBytes < longBytes ? 0 : sizeBytes, this.mayRefuse);
  }

  /** Called when the answer was compressed, because its text is not needed any more. */
  compressed(sizeBytes: number) {
    this.resize(sizeBytes < longBytes ? 0 : sizeBytes, false);
  }

  /** Called when the answer was sent, or will not be sent: gives all bytes back. */
  readonly gone = () => this.resize(0);

  private resize(sizeBytes: number, mayRefuse = true) {
    const added = sizeBytes - this.sizeBytes;
    if (added === 0) return;
    this.owner ??= `address ${this.address()}`;
    if (added > 0 && mayRefuse) this.budget.requireRoom(this.owner, sizeBytes, added);
    if (added > 0) this.budget.take(this.owner, added);
    else this.budget.giveBack(this.owner, -added);
    this.sizeBytes = sizeBytes;
  }
}
