import { badRequest } from "../../core/errors";
import { flag, optional, record, text } from "../../core/params";

export const CreateCall = record({});
export const CreateZoomCall = record({ isVideoCall: optional(flag()) });
export const CreateNextcloudCall = record({ roomName: text() });

/**
 * Refusal of calls at a service that needs an account of the server there, which chatd cannot have
 * (BAD_REQUEST).
 */
const refuseCall = (service: string) => async (): Promise<never> => {
  throw badRequest(
    `${service} is not configured: this server offers calls at Jitsi Meet and BigBlueButton. ` +
      "An administrator chooses one as the organization's video_chat_provider.",
  );
};

export const refuseZoomCall = refuseCall("Zoom");
export const refuseWebexCall = refuseCall("Webex");
export const refuseNextcloudCall = refuseCall("Nextcloud Talk");
export const refuseConstructorGroupsCall = refuseCall("Constructor Groups");
