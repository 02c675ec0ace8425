import { type EventForm, type EventForms, each, type Integration } from "../integration";
import { pickText } from "../payload";
import { signedBody } from "../signature";

/* Services for recruiting. */

const applicant =
  "[{payload.application.candidate.first_name} {payload.application.candidate.last_name}]({payload.application.url:url})";
const jobs = "{#payload.application.jobs}, {name}{/payload.application.jobs}";
const stage =
  "{?payload.application.current_stage.name}\n* Stage: {payload.application.current_stage.name}{/payload.application.current_stage.name}";

/** A message about an application, in a topic of the event and the candidate. */
const about = (title: string, text: string): EventForm => ({
  topic: `${title} - {payload.application.candidate.id}`,
  text,
});

const offer = (done: string): EventForm => ({
  topic: "Offer - {payload.application_id}",
  text: `Version {payload.version} of an offer was ${done}: **{payload.offer_status|open}**{?payload.start_date}, from {payload.start_date}{/payload.start_date}.`,
});

const applications: EventForms = {
  new_candidate_application: about(
    "New Candidate Application",
    `${applicant}${jobs} has applied{?payload.application.source.name} by {payload.application.source.name}{/payload.application.source.name}.${stage}`,
  ),
  new_prospect_application: about(
    "New Prospect Application",
    `${applicant}${jobs} is a new prospect{?payload.application.credited_to.name}, by {payload.application.credited_to.name}{/payload.application.credited_to.name}.`,
  ),
  candidate_stage_change: about(
    "Candidate Stage Change",
    `${applicant}${jobs} has come to the stage **{payload.application.current_stage.name|unknown}**.`,
  ),
  hire_candidate: about("Hire Candidate", `${applicant}${jobs} is **hired**.`),
  unhire_candidate: about("Unhire Candidate", `${applicant}${jobs} is no longer hired.`),
  reject_candidate: about(
    "Reject Candidate",
    `${applicant}${jobs} was **rejected**{?payload.application.rejection_reason.name}: {payload.application.rejection_reason.name}{/payload.application.rejection_reason.name}.${stage}`,
  ),
  unreject_candidate: about(
    "Unreject Candidate",
    `${applicant}${jobs} is no longer rejected.${stage}`,
  ),
};

/** Webhooks of Greenhouse Recruiting. Source: github.com/grnhse/greenhouse-api-docs. */
export const greenhouse: Integration = {
  name: "greenhouse",
  title: "Greenhouse",
  signature: signedBody(["signature"], "sha256 "),
  event: ({ payload }) => pickText(payload, "action"),
  forms: {
    ping: { topic: "Greenhouse", text: "Greenhouse can post here." },
    ...applications,
    offer_created: offer("made"),
    offer_approved: offer("approved"),
    offer_updated: offer("changed"),
    ...each(
      "",
      [
        "application_updated",
        "update_candidate",
        "candidate_anonymized",
        "delete_application",
        "offer_deleted",
      ],
      null,
    ),
  },
};
