import { afterAll, beforeAll, expect, test } from "bun:test";
import { calls } from "../support/api/calls/all-calls";
import { askFor, endpointNames } from "../support/api/calls/call";
import { pushFlags } from "../support/api/calls/device-calls";
import { mailFlags } from "../support/api/calls/mail-calls";
import { newPerson } from "../support/api/calls/things";
import { jwtFlags } from "../support/servers/web-token";
import { makeWorld, type Person, type World } from "../support/world";

/** Answers of every endpoint to a parameter that it does not know. */
let world: World;
beforeAll(async () => {
  world = await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags });
});
afterAll(() => world.close());

const unknown = "no_such_parameter";
/** Endpoints that answer with a picture, or speak tus: nothing can be said beside that. */
const pictures = ["GET /realm/icon", "GET /realm/logo"];
const asked = endpointNames.filter(
  (name) =>
    !name.includes(" the page ") &&
    // An answer to HEAD has no body that could name them.
    !name.startsWith("HEAD ") &&
    !/ \/tus\b/.test(name) &&
    !pictures.includes(name) &&
    !calls[name]?.isForNobody,
);

test.each(asked)(
  "%s does what it is asked and names a parameter that it does not know",
  async (name) => {
    const call = calls[name];
    if (!call) throw new Error(`add a row "${name}" to test/support/calls`);
    const here =
      call.spends === "world"
        ? await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags })
        : world;
    try {
      const caller: Person =
        call.spends === "caller" ? await newPerson(here) : here[call.by ?? "alice"];
      const { parameters, ...rest } = await call.prepare(here, caller);
      rest.form?.append(unknown, "1");
      const answers: unknown[] = [];
      const witness = Object.assign(Object.create(caller), {
        ask: async (...request: Parameters<Person["ask"]>) => {
          const answer = await caller.ask(...request);
          answers.push(answer.body.ignored_parameters_unsupported);
          return answer;
        },
      });
      expect(
        await askFor(witness, name, { ...rest, parameters: { ...parameters, [unknown]: "1" } }),
      ).toBe("ok");
      expect(answers).toEqual([[unknown]]);
    } finally {
      if (here !== world) await here.close();
    }
  },
);
