import {
  alertmanagerPosts,
  grafanaPosts,
  pagerdutyPosts,
  sentryPosts,
  stripePosts,
  uptimeKumaPosts,
} from "./alerts";
import { reviewingPosts } from "./code-review";
import { buildingPosts } from "./continuous-integration";
import { movingDataPosts } from "./data-pipelines";
import { deployingPosts } from "./deployment";
import { githubPosts } from "./github";
import { giteaPosts, gitlabPosts } from "./gitlab-gitea";
import { hostingPosts } from "./hosting";
import { watchingPosts } from "./incidents-and-uptime";
import { trackingPosts } from "./issue-trackers";
import { collectingPosts } from "./media-libraries";
import { monitoringPosts } from "./monitoring";
import type { Post } from "./post";
import { boardsPosts } from "./project-boards";
import { hiringPosts } from "./recruiting";
import { supportingPosts } from "./shared-inboxes";
import { helpingPosts } from "./support-and-community";
import { tasksPosts } from "./tasks";

/** Posts of all services, with the messages that they lead to. */
export const webhookPosts: readonly Post[] = [
  ...githubPosts,
  ...gitlabPosts,
  ...giteaPosts,
  ...sentryPosts,
  ...grafanaPosts,
  ...alertmanagerPosts,
  ...pagerdutyPosts,
  ...uptimeKumaPosts,
  ...stripePosts,
  ...buildingPosts,
  ...watchingPosts,
  ...trackingPosts,
  ...hostingPosts,
  ...deployingPosts,
  ...collectingPosts,
  ...monitoringPosts,
  ...helpingPosts,
  ...boardsPosts,
  ...reviewingPosts,
  ...movingDataPosts,
  ...tasksPosts,
  ...hiringPosts,
  ...supportingPosts,
];
