import type { ArchiveRow } from "./archive-file";

const nameCharactersMax = 30;

/** Programs that messages came from, with ids in the order in which they are asked for. */
export class Clients {
  private readonly ids = new Map<string, number>();

  idOf(client: string): number {
    const name = [...client].slice(0, nameCharactersMax).join("") || "chatd";
    const id = this.ids.get(name) ?? this.ids.size + 1;
    this.ids.set(name, id);
    return id;
  }

  rows = (): ArchiveRow[] => [...this.ids].map(([name, id]) => ({ id, name }));
}
