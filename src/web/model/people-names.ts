import { type Names, readId } from "./narrow";
import { type Piece, quoted, type Token } from "./search-tokens";

/** Names that the text of a search is read and written with. */
export interface PeopleNames extends Names {
  readonly me: number;
  /** Ids of the people of a name, whatever its case. */
  peopleNamed(name: string): readonly number[];
}

type Reason = "noPerson" | "severalPeople";

/** One person, whose name may stand without quotation marks even where it has a comma. */
export function readOnePerson(token: Token, names: PeopleNames): number | Reason {
  const [piece] = token.pieces;
  return readPerson(
    token.isOneQuoted && piece ? piece : { text: token.operand, isQuoted: false, start: 0 },
    names,
  );
}

/** People with commas between, by ascending ids, each once. */
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
 * A person: `me`, a number, an e-mail address, a name, or, where several have it, a name with a
 * number: `"Hana Sato|12"`. In quotation marks it is a name.
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

/** Names that are read as themselves without quotation marks. */
const plainName = /^(?!\d+$)(?!me$)[\p{L}\p{M}\p{N}_.'’-]+$/iu;

/** A person as the text of a search has them. */
export function writePerson(id: number, names: PeopleNames): string {
  if (id === names.me) return "me";
  const name = names.personName(id);
  if (name === undefined) return String(id);
  const isOnly = names.peopleNamed(name).length === 1 && !name.includes("|");
  return quoted(isOnly ? name : `${name}|${id}`, plainName);
}
