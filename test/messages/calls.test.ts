import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

const secret = "the secret of the meetings";

/**
 * A BigBlueButton on loopback: it makes meetings and lets people in, if the checksum of a request
 * shows that its sender knows the secret.
 */
class Meetings {
  readonly made: URLSearchParams[] = [];
  /** Answer in place of a meeting. */
  refusal: Response | undefined;
  private readonly server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => this.answer(new URL(request.url)),
  });
  readonly url = `http://127.0.0.1:${this.server.port}/bigbluebutton`;

  close = () => this.server.stop(true);

  /** Parameters of an address, if its checksum is right. */
  parametersOf({ pathname, search }: URL): URLSearchParams | undefined {
    const command = pathname.replace("/bigbluebutton/api/", "");
    const query = search.slice(1).replace(/&checksum=\w+$/, "");
    const expected = new Bun.CryptoHasher("sha256").update(command + query + secret).digest("hex");
    const parameters = new URLSearchParams(search);
    return parameters.get("checksum") === expected ? parameters : undefined;
  }

  private answer(url: URL): Response {
    if (this.refusal) return this.refusal.clone();
    const parameters = this.parametersOf(url);
    if (!parameters)
      return new Response(
        "<response><returncode>FAILED</returncode><messageKey>checksumError</messageKey></response>",
      );
    this.made.push(parameters);
    return new Response(
      `<response>
<returncode>SUCCESS</returncode><createTime>1800000000123</createTime><messageKey></messageKey></response>`,
    );
  }
}

let world: World;
afterEach(() => world.close());

const create = (person: Person, meeting_name: string, more = {}) =>
  person.get("/calls/bigbluebutton/create", { meeting_name, ...more });
const join = (person: Person, url: string) => person.open(url, { redirect: "manual" });

/** The address that somebody is led to. */
async function ledTo(person: Person, url: string): Promise<URL> {
  const { status, headers } = await join(person, url);
  expect(status).toBe(302);
  return new URL(headers.get("location") ?? "");
}

describe("with a BigBlueButton", () => {
  let meetings: Meetings;
  beforeEach(async () => {
    meetings = new Meetings();
    world = await makeWorld({ big_blue_button_url: meetings.url, big_blue_button_secret: secret });
  });
  afterEach(() => meetings.close());

  test("Alice makes a call and moderates it, Bob comes in under his name; each checksum is right", async () => {
    const { alice, bob } = world;
    await bob.patch("/settings", { full_name: "Bob (1) O'Brien" });
    const { body } = await create(alice, "Bob's lunch & more!", { voice_only: true });
    expect(meetings.made).toEqual([]);
    const alices = meetings.parametersOf(await ledTo(alice, body.url));
    const bobs = meetings.parametersOf(await ledTo(bob, body.url));
    const [first, second] = meetings.made;
    expect(Object.fromEntries(first ?? [])).toMatchObject({
      name: "Bob's lunch & more!",
      lockSettingsDisableCam: "true",
      meetingID: expect.stringMatching(/^chatd-/),
    });
    const meetingID = first?.get("meetingID");
    expect(second?.get("meetingID")).toBe(meetingID ?? "");
    const createTime = "1800000000123";
    expect(Object.fromEntries(alices ?? [])).toMatchObject({
      meetingID,
      role: "MODERATOR",
      fullName: "Alice",
      createTime,
    });
    expect(Object.fromEntries(bobs ?? [])).toMatchObject({
      role: "VIEWER",
      fullName: "Bob (1) O'Brien",
    });
    const other = await create(alice, "Bob's lunch & more!");
    await ledTo(alice, other.body.url);
    expect(meetings.made[2]?.get("meetingID")).not.toBe(meetingID ?? "");
    expect(meetings.made[2]?.get("lockSettingsDisableCam")).toBe("false");
  });

  test("An address that is changed or of another organization leads nowhere, and nobody comes in without an account", async () => {
    const { alice, zoe, site } = world;
    const { body } = await create(alice, "lunch");
    for (const [person, url] of [
      [alice, body.url.replace(/.{4}$/, "AAAA")],
      [alice, "/calls/bigbluebutton/join?bigbluebutton=x"],
      [zoe, body.url],
    ] as const)
      expect((await join(person, url)).status).toBe(400);
    const headers = { host: alice.host, accept: "text/html" };
    const stranger = await fetch(`${site}${body.url}`, { headers, redirect: "manual" });
    expect([stranger.status, stranger.headers.get("location")]).toEqual([
      303,
      `/login?next=${encodeURIComponent(body.url)}`,
    ]);
    expect(meetings.made).toEqual([]);
    for (const name of ["", " ", "n".repeat(257)])
      expect(refusal(await create(alice, name))).toBe("400 BAD_REQUEST");
  });

  test("A BigBlueButton that is away, knows another secret or refuses is told of in words", async () => {
    const { alice } = world;
    const { url } = (await create(alice, "lunch")).body;
    const told = async () => (await (await join(alice, url)).json()).msg;
    const xml = (key: string) =>
      new Response(
        `<response><returncode>FAILED</returncode><messageKey>${key}</messageKey></response>`,
      );
    meetings.refusal = xml("checksumError");
    expect(await told()).toContain("refuses this server's big_blue_button_secret");
    meetings.refusal = xml("maxConcurrent");
    expect(await told()).toContain("has refused the call");
    meetings.refusal = new Response("", { status: 502 });
    expect(await told()).toContain("does not answer");
    await meetings.close();
    expect(await told()).toContain("does not answer");
  });

  test("Olga chooses it for the organization, and clients list it", async () => {
    const { olga, alice } = world;
    const queue = await alice.register({ event_types: ["realm"] });
    expect((await olga.patch("/realm", { video_chat_provider: 4 })).status).toBe(200);
    expect(await queue.events()).toMatchObject([{ property: "video_chat_provider", value: 4 }]);
    const { state } = await alice.register();
    expect([state.realm_video_chat_provider, state.realm_available_video_chat_providers]).toEqual([
      4,
      {
        disabled: { name: "None", id: 0 },
        jitsi_meet: { name: "Jitsi Meet", id: 1 },
        big_blue_button: { name: "BigBlueButton", id: 4 },
      },
    ]);
  });
});

test("Without a BigBlueButton, and for services that this server lacks, the refusal says what is missing", async () => {
  world = await makeWorld();
  const { alice, olga } = world;
  expect((await create(alice, "lunch")).body.msg).toStartWith("BigBlueButton is not configured");
  expect((await olga.patch("/realm", { video_chat_provider: 4 })).body.msg).toContain(
    "big_blue_button_url",
  );
  const services = { zoom: {}, webex: {}, nextcloud_talk: { room_name: "lunch" } };
  for (const [service, parameters] of Object.entries({ ...services, constructorgroups: {} })) {
    const answer = await alice.post(`/calls/${service}/create`, parameters);
    expect([refusal(answer), answer.body.msg]).toEqual([
      "400 BAD_REQUEST",
      expect.stringContaining("It offers Jitsi Meet; an administrator"),
    ]);
  }
  const { state } = await alice.register();
  expect(Object.keys(state.realm_available_video_chat_providers)).toEqual([
    "disabled",
    "jitsi_meet",
  ]);
});
