import { type Calls, signedOut } from "./call";

/** A service of video calls that a server without configuration has for nobody. */
const refused = {
  outcomes: { ...signedOut, others: "400 BAD_REQUEST" },
  isForNobody: true,
} as const;

/** Video calls. */
export const videoCalls: Calls = {
  "GET /calls/bigbluebutton/create": {
    ...refused,
    prepare: () => ({ parameters: { meeting_name: "lunch" } }),
  },
  "GET the page /calls/bigbluebutton/join": {
    outcomes: { anonymous: "401", deactivated: "401", others: "400" },
    prepare: () => ({}),
  },
  "POST /calls/zoom/create": { ...refused, prepare: () => ({}) },
  "POST /calls/webex/create": { ...refused, prepare: () => ({}) },
  "POST /calls/nextcloud_talk/create": {
    ...refused,
    prepare: () => ({ parameters: { room_name: "lunch" } }),
  },
  "POST /calls/constructorgroups/create": { ...refused, prepare: () => ({}) },
};
