import { onOneLine } from "../../core/text/unprintable";
import { cleanEmail } from "../../people/users/email-address";
import { cleanFullName } from "../../people/users/names";
import { emailKeyOf } from "../../people/users/queries";
import { requireNoSystemBotName } from "../../people/users/system-bots";
import type { SkipReport } from "./report";
import type { StagedRow, StageWriter } from "./stage-writer";

/** A person of another system. */
interface NewPerson {
  /** Their name in the report. */
  which: string | number;
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
  const plain = onOneLine(name).replace(/[*`\\>"@|]/g, "");
  try {
    const cleaned = cleanFullName([...plain.trim()].slice(0, 100).join("") || instead);
    requireNoSystemBotName(cleaned);
    return cleaned;
  } catch {
    return instead;
  }
}

interface Surroundings {
  report: SkipReport;
  /** Name of the list of people in the report. */
  list: string;
  host: string;
}

/**
 * Adds people with unique e-mail addresses. A person whose address is missing, invalid or taken
 * gets an address that reaches nobody. The report names them, unless they do not need an address.
 */
export class People {
  private readonly taken = new Set<string>();

  constructor(
    private readonly writer: StageWriter,
    private readonly surroundings: Surroundings,
    /** Values of columns that everybody gets whom this object adds. */
    private readonly common: StagedRow = {},
  ) {}

  /** `more` has further columns, including the id if it is known. */
  async add(person: NewPerson, more: StagedRow & { id?: number } = {}) {
    const { fullName, role, isActive, isBot, ownerId = null, timezone = "", createdAt } = person;
    const id = more.id ?? this.writer.nextId("users");
    const address = this.freeAddress(person) ?? `imported-${id}@${this.surroundings.host}`;
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
    return { id, fullName: name, role, isActive };
  }

  /** Somebody's address, if it is valid and nobody has it yet. */
  private freeAddress({ which, email, isActive, isBot }: NewPerson): string | undefined {
    const address = validAddress(email);
    if (address !== undefined && !this.taken.has(emailKeyOf(address))) return address;
    const { report, list } = this.surroundings;
    if (email !== "" || (isActive && !isBot))
      report.add(list, which, "have an address that is missing, invalid or taken");
    return undefined;
  }
}

function validAddress(email: string): string | undefined {
  try {
    return cleanEmail(email);
  } catch {
    return undefined;
  }
}
