/** JSON that is already text, without its closing brace, so that members can be added: `{"a":1`. */
export class RawJson {
  constructor(readonly open: string) {}
}
