import type { Post } from "./post";

/** Written after github.com/grnhse/greenhouse-api-docs, its examples. */
const application = {
  id: 265293,
  prospect: false,
  status: "active",
  url: "https://app.greenhouse.io/people/265788?application_id=265293",
  source: { id: 16, name: "LinkedIn (Prospecting)" },
  credited_to: { id: 2622, email: "carl@example.com", name: "Carl Buddha" },
  rejection_reason: null,
  current_stage: { id: 2708728, name: "Offer", interviews: [] },
  candidate: { id: 265788, first_name: "Hector", last_name: "Porter", title: null },
  jobs: [{ id: 371417, name: "Designer", status: "open" }],
};
const hector =
  "[Hector Porter](https://app.greenhouse.io/people/265788?application_id=265293), Designer";
const about = (action: string, more: object = {}) => ({
  action,
  payload: { application: { ...application, ...more } },
});

export const hiringPosts: Post[] = [
  {
    integration: "greenhouse",
    what: "an application",
    payload: about("new_candidate_application"),
    topic: "New Candidate Application - 265788",
    text: `${hector} has applied by LinkedIn (Prospecting).\n* Stage: Offer`,
  },
  {
    integration: "greenhouse",
    what: "a prospect of no job",
    payload: about("new_prospect_application", { prospect: true, jobs: [] }),
    topic: "New Prospect Application - 265788",
    text: "[Hector Porter](https://app.greenhouse.io/people/265788?application_id=265293) is a new prospect, by Carl Buddha.",
  },
  {
    integration: "greenhouse",
    what: "a candidate comes to another stage",
    payload: about("candidate_stage_change"),
    topic: "Candidate Stage Change - 265788",
    text: `${hector} has come to the stage **Offer**.`,
  },
  {
    integration: "greenhouse",
    what: "a candidate is hired",
    payload: about("hire_candidate", { status: "hired" }),
    topic: "Hire Candidate - 265788",
    text: `${hector} is **hired**.`,
  },
  {
    integration: "greenhouse",
    what: "a candidate is rejected",
    payload: about("reject_candidate", { rejection_reason: { id: 14, name: "Too Junior" } }),
    topic: "Reject Candidate - 265788",
    text: `${hector} was **rejected**: Too Junior.\n* Stage: Offer`,
  },
  {
    integration: "greenhouse",
    what: "an offer",
    payload: {
      action: "offer_created",
      payload: {
        id: 12345,
        application_id: 234556,
        version: 1,
        start_date: "04/15/2013",
        notes: "Vacation scheduled 4/20 - 4/23",
        offer_status: "Accepted",
      },
    },
    topic: "Offer - 234556",
    text: "Version 1 of an offer was made: **Accepted**, from 04/15/2013.",
  },
  {
    integration: "greenhouse",
    what: "a candidate's address has changed",
    payload: { action: "update_candidate", payload: { candidate: { id: 15696179 } } },
  },
];
