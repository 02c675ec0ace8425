import { Page } from "../../core/answer";
import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { parsedJson } from "../../core/json/parsed-json";
import { isRecord } from "../../core/json/record";
import { outboundRequest } from "../../core/network/outbound";
import { flag, type Input, optional, record, text } from "../../core/params";
import { makeRandomId } from "../../core/secrets/secrets";
import { html } from "../../core/text/html";
import { cleanName } from "../../core/text/name";
import { type BigBlueButton, requireBigBlueButton } from "../../realm/video-chat";
import { signedAddress } from "./signed-address";

/** Longest name of a meeting that BigBlueButton takes. */
const nameLengthMax = 256;
const timeoutMilliseconds = 5_000;

export const CreateBigBlueButtonCall = record({
  meetingName: text(),
  voiceOnly: optional(flag()),
});

/** A call as its address tells it. */
interface Call {
  meetingId: string;
  name: string;
  isVoiceOnly: boolean;
  /** The person who has made the address, and who moderates the call. */
  moderatorId: number;
}

/**
 * The address of a new call, relative to the organization's. The call itself is made when somebody
 * opens it. It is sealed, so that nobody can lead people into other meetings of that server.
 * Refuses a name that is blank or too long, and where the operator has configured no BigBlueButton
 * (BAD_REQUEST). Source: `test/recorded/api/api-surface.json`, create-big-blue-button-video-call.
 */
export async function createBigBlueButtonCall(
  { app, realm, actor }: Context<Person>,
  { meetingName, voiceOnly = false }: Input<typeof CreateBigBlueButtonCall>,
): Promise<{ url: string }> {
  requireBigBlueButton(app.config);
  const call: Call = {
    meetingId: `chatd-${makeRandomId()}`,
    name: cleanName("The meeting's name", meetingName, nameLengthMax),
    isVoiceOnly: voiceOnly,
    moderatorId: actor.user.id,
  };
  const sealed = app.secrets.seal(purposeIn(realm), JSON.stringify(call));
  return { url: `/calls/bigbluebutton/join?bigbluebutton=${encodeURIComponent(sealed)}` };
}

export const JoinBigBlueButtonCall = record({ bigbluebutton: text() });

/**
 * Leads a person into the call of an address, under their name; makes the meeting first, which
 * changes nothing where it is on. Refuses an address that this organization has not made, and a
 * BigBlueButton that does not answer or does not take the secret (BAD_REQUEST). Source:
 * https://docs.bigbluebutton.org/development/api/
 */
export async function joinBigBlueButtonCall(
  ctx: Context<Person>,
  { bigbluebutton }: Input<typeof JoinBigBlueButtonCall>,
): Promise<Page> {
  const server = requireBigBlueButton(ctx.app.config);
  const call = openCall(ctx, bigbluebutton);
  const createTime = await makeMeeting(ctx, server, call);
  const { user } = ctx.actor;
  const url = signedAddress(server, "join", {
    meetingID: call.meetingId,
    role: call.moderatorId === user.id ? "MODERATOR" : "VIEWER",
    fullName: user.fullName,
    createTime,
  });
  return new Page(html`<a href="${url}">${call.name}</a>`, 302, [["location", url]]);
}

const purposeIn = ({ id }: Context["realm"]) => `call ${id}`;

function openCall({ app, realm }: Context, sealed: string): Call {
  const call = parsedJson(opened(() => app.secrets.open(purposeIn(realm), sealed)));
  if (
    isRecord(call) &&
    typeof call["meetingId"] === "string" &&
    typeof call["name"] === "string" &&
    typeof call["isVoiceOnly"] === "boolean" &&
    typeof call["moderatorId"] === "number"
  ) {
    const { meetingId, name, isVoiceOnly, moderatorId } = call;
    return { meetingId, name, isVoiceOnly, moderatorId };
  }
  throw badRequest("This address does not lead to a call: it was not copied completely.");
}

function opened(open: () => string): string {
  try {
    return open();
  } catch {
    return "";
  }
}

/** Makes the meeting where it is not on; answers the time at which it was made. */
async function makeMeeting(
  { app, realm }: Context,
  server: BigBlueButton,
  call: Call,
): Promise<string> {
  const url = signedAddress(server, "create", {
    meetingID: call.meetingId,
    name: call.name,
    lockSettingsDisableCam: String(call.isVoiceOnly),
  });
  const answer = await outboundRequest({ app, realm }, url, {
    timeoutMilliseconds,
    allowPrivate: true,
  });
  if (answer.is !== "answered" || answer.status !== 200)
    throw badRequest("BigBlueButton does not answer. Try again later, or ask the operator.");
  const xml = new TextDecoder().decode(answer.body);
  if (contentOf(xml, "messageKey") === "checksumError")
    throw badRequest(
      "BigBlueButton refuses this server's big_blue_button_secret: compare it with bbb-conf --secret.",
    );
  const createTime = contentOf(xml, "createTime");
  if (contentOf(xml, "returncode") !== "SUCCESS" || createTime === undefined)
    throw badRequest("BigBlueButton has refused the call. Ask the operator.");
  return createTime;
}

/** Text of an element without others inside, in a short XML document. */
const contentOf = (xml: string, element: string): string | undefined =>
  new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]?.trim();
