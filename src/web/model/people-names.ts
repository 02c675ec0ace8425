import { type Names, readId } from "./narrow";
import { type Piece, quoted, type Token } from "./search-tokens";

/** Names that are needed to read and write the text of a search. */
export interface PeopleNames extends Names {
  readonly me: number;
  /** Ids of the people with a name, ignoring case. */
  peopleNamed(name: string): readonly number[];
}

type Reason = "noPerson" | "severalPeople";

/** One person. Their name may contain a comma even without quotation marks. */
export function readOnePerson(token: Token, names: PeopleNames): number | Reason {
  const [piece] = token.pieces;
  return readPerson(
    token.isOneQuoted && piece ? piece : { text: token.operand, isQuoted: false, start: 0 },
    names,
  );
}

/** People, separated by commas; by ascending ids, without repetitions. */
export function readPeopleList({ pieces }: Token, names: PeopleNames): readonly number[] | Reason {
  const people: number[] = [];
  for (const piece of pieces) {
    const person = readPerson(piece, names);
    if (typeof person === "string") return person;
    people.push(person);
  }
  return [...new Set(people)].sort((one, other) => one - other);
}

/**
 * A person: `me`, a number, an e-mail address, a name, or, if several people have the name, the
 * name with an id: `"Hana Sato|12"`. A text in quotation marks is always a name.
 */
function readPerson({ text, isQuoted }: Piece, names: PeopleNames): number | Reason {
  if (!isQuoted && text.toLowerCase() === "me") return names.me;
  const id = readId(isQuoted ? "" : text) ?? readId(/\|(\d+)$/u.exec(text)?.[1] ?? "");
  if (id !== undefined && names.personName(id) !== undefined) return id;
  const byAddress = isQuoted ? undefined : names.personId(text);
  if (byAddress !== undefined) return byAddress;
  const [person, ...others] = names.peopleNamed(text);
  if (person === undefined) return "noPerson";
  return others.length === 0 ? person : "severalPeople";
}

/** Names that need no quotation marks. */
const plainName = /^(?!\d+$)(?!me$)[\p{L}\p{M}\p{N}_.'’-]+$/iu;

/** A person as they are written in the text of a search. */
export function writePerson(id: number, names: PeopleNames): string {
  if (id === names.me) return "me";
  const name = names.personName(id);
  if (name === undefined) return String(id);
  const isOnly = names.peopleNamed(name).length === 1 && !name.includes("|");
  return quoted(isOnly ? name : `${name}|${id}`, plainName);
}
