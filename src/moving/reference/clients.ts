import type { ArchiveRow } from "./archive-file";

const nameCharactersMax = 30;

/** Client programs that messages came from. A name gets its id when it is first asked for. */
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
