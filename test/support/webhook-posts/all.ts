import {
  alertmanagerPosts,
  grafanaPosts,
  pagerdutyPosts,
  sentryPosts,
  stripePosts,
  uptimeKumaPosts,
} from "./alerts";
import { boardsPosts } from "./boards";
import { buildingPosts } from "./building";
import { collectingPosts } from "./collecting";
import { deployingPosts } from "./deploying";
import { githubPosts } from "./github";
import { giteaPosts, gitlabPosts } from "./gitlab-gitea";
import { helpingPosts } from "./helping";
import { hiringPosts } from "./hiring";
import { hostingPosts } from "./hosting";
import { monitoringPosts } from "./monitoring";
import { movingDataPosts } from "./moving-data";
import type { Post } from "./post";
import { reviewingPosts } from "./reviewing";
import { supportingPosts } from "./supporting";
import { tasksPosts } from "./tasks";
import { trackingPosts } from "./tracking";
import { watchingPosts } from "./watching";

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
