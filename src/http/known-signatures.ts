/** Person and key of a signature, as of the last time when it was valid. */
export interface Holder {
  userId: number;
  apiKeyId: number;
}

/**
 * Number of signatures in each of the two generations that are kept: signatures that have not been
 * seen for longest are forgotten first.
 */
const signaturesMax = 10_000;

/**
 * Signatures (the content of `Authorization`, a session's token, or the key of a webhook) that were
 * valid when they were last seen, in memory only. They grant nothing: a request with one is looked
 * up like any other. But it counts towards its person's limit when it arrives, and not towards its
 * address, so that strangers at that address cannot use up the person's requests.
 */
export class KnownSignatures {
  private young = new Map<string, Holder>();
  private old = new Map<string, Holder>();

  constructor(private readonly countMax = signaturesMax) {}

  find(signature: string): Holder | undefined {
    return this.young.get(signature) ?? this.old.get(signature);
  }

  note(signature: string, holder: Holder) {
    const existing = this.young.get(signature);
    if (existing?.apiKeyId === holder.apiKeyId) return;
    if (this.young.size >= this.countMax) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(signature, holder);
  }

  forget(signature: string) {
    this.young.delete(signature);
    this.old.delete(signature);
  }
}
