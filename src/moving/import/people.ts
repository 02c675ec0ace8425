import { roles } from "../../core/rights/role";
import { cleanFullName } from "../../people/users/names";
import { emailKeyOf } from "../../people/users/queries";
import { requireNoSystemBotName } from "../../people/users/system-bots";
import type { StagedRow, StageWriter } from "./stage-writer";

const emailForm = /^[^\s\p{Cc}@<>"]{1,128}@[^\s\p{Cc}@<>"]{1,128}$/u;

/** A person of another system. */
export interface NewPerson {
  email: string;
  fullName: string;
  role: number;
  isActive: boolean;
  isBot: boolean;
  /** Owner of a bot. */
  ownerId?: number | null;
  timezone?: string;
  /** UNIX seconds. */
  createdAt: number;
}

/** A name without the characters that names may not have; `instead` if nothing is left of it. */
export function cleanedName(name: string, instead: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, " ")
    .replace(/[*`\\>"@|]/g, "");
  try {
    const cleaned = cleanFullName([...plain.trim()].slice(0, 100).join("") || instead);
    requireNoSystemBotName(cleaned);
    return cleaned;
  } catch {
    return instead;
  }
}

/**
 * Adds people with unique e-mail addresses. A person whose address is invalid or taken gets an
 * address that reaches nobody.
 */
export class People {
  private readonly taken = new Set<string>();

  constructor(
    private readonly writer: StageWriter,
    private readonly host: string,
    /** Values of columns that everybody gets whom this object adds. */
    private readonly common: StagedRow = {},
  ) {}

  /** `more` has further columns, including the id if it is known. */
  async add(
    { email, fullName, role, isActive, isBot, ownerId = null, timezone = "", createdAt }: NewPerson,
    more: StagedRow & { id?: number } = {},
  ) {
    const id = more.id ?? this.writer.nextId("users");
    const isUsable = emailForm.test(email) && !this.taken.has(emailKeyOf(email));
    const address = isUsable ? email : `imported-${id}@${this.host}`;
    this.taken.add(emailKeyOf(address));
    const name = cleanedName(fullName, `User ${id}`);
    const account = {
      email: address,
      email_key: emailKeyOf(address),
      full_name: name,
      role,
      is_active: isActive,
    };
    await this.writer.add("users", {
      id,
      ...account,
      bot_type: isBot ? 1 : null,
      bot_owner_id: ownerId,
      timezone,
      is_imported_stub: true,
      created_at: createdAt,
      ...this.common,
      ...more,
    });
    return { id, fullName: name, isActive };
  }
}

export const memberRole: number = roles.member;
