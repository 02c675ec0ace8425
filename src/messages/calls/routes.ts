import { Type } from "@sinclair/typebox";
import { notAudited } from "../../core/audit";
import { endpoint, redirect } from "../../core/endpoint";
import {
  CreateBigBlueButtonCall,
  createBigBlueButtonCall,
  JoinBigBlueButtonCall,
  joinBigBlueButtonCall,
} from "./big-blue-button";
import {
  CreateCall,
  CreateNextcloudCall,
  CreateZoomCall,
  refuseConstructorGroupsCall,
  refuseNextcloudCall,
  refuseWebexCall,
  refuseZoomCall,
} from "./unsupported";

const callAddress = Type.Object({ url: Type.String() });
const changesNothing = notAudited("it is refused, because the server knows no such service");

export const callEndpoints = [
  endpoint({
    method: "GET",
    path: "/calls/bigbluebutton/create",
    summary: "Makes the address of a new call at BigBlueButton.",
    who: "user",
    input: CreateBigBlueButtonCall,
    output: callAddress,
    verb: createBigBlueButtonCall,
  }),
  endpoint({
    method: "POST",
    path: "/calls/zoom/create",
    summary: "Refuses a call at Zoom, which this server does not offer.",
    who: "user",
    audit: changesNothing,
    input: CreateZoomCall,
    output: callAddress,
    verb: refuseZoomCall,
  }),
  endpoint({
    method: "POST",
    path: "/calls/webex/create",
    summary: "Refuses a call at Webex, which this server does not offer.",
    who: "user",
    audit: changesNothing,
    input: CreateCall,
    output: callAddress,
    verb: refuseWebexCall,
  }),
  endpoint({
    method: "POST",
    path: "/calls/nextcloud_talk/create",
    summary: "Refuses a call at Nextcloud Talk, which this server does not offer.",
    who: "user",
    audit: changesNothing,
    input: CreateNextcloudCall,
    output: callAddress,
    verb: refuseNextcloudCall,
  }),
  endpoint({
    method: "POST",
    path: "/calls/constructorgroups/create",
    summary: "Refuses a call at Constructor Groups, which this server does not offer.",
    who: "user",
    audit: changesNothing,
    input: CreateCall,
    output: callAddress,
    verb: refuseConstructorGroupsCall,
  }),
];

/** The address that a message names: it leads into the call. */
export const callPages = [
  endpoint({
    method: "GET",
    path: "/calls/bigbluebutton/join",
    summary: "Leads a person into a call at BigBlueButton.",
    who: "user",
    input: JoinBigBlueButtonCall,
    output: redirect,
    verb: joinBigBlueButtonCall,
  }),
];
