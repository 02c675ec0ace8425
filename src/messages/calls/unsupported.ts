import type { Context } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, optional, record, text } from "../../core/params";
import { videoChatProviders } from "../../realm/video-chat";

export const CreateCall = record({});
export const CreateZoomCall = record({ isVideoCall: optional(flag()) });
export const CreateNextcloudCall = record({ roomName: text() });

/**
 * Refusal of calls at a service that needs an account of the server there, which chatd cannot have
 * (BAD_REQUEST).
 */
const refuseCall =
  (service: string) =>
  async ({ app }: Context): Promise<never> => {
    const { disabled, ...offered } = videoChatProviders(app.config);
    const names = Object.values(offered).map(({ name }) => name);
    throw badRequest(
      `This server cannot make calls at ${service}. It offers ${names.join(" and ")}; ` +
        "an administrator chooses with the organization's video_chat_provider.",
    );
  };

export const refuseZoomCall = refuseCall("Zoom");
export const refuseWebexCall = refuseCall("Webex");
export const refuseNextcloudCall = refuseCall("Nextcloud Talk");
export const refuseConstructorGroupsCall = refuseCall("Constructor Groups");
