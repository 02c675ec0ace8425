import { topicPolicies } from "../../protocol/topics";
import { post, remove } from "../net/api";
import { ChannelMark } from "../parts/channel-mark";
import { channelName, topicName, userName } from "../store/names";
import { save } from "../store/saving";
import { channels, mutedUsers, userTopics } from "../store/state";
import { settingsWords } from "../words/settings";
import { Part } from "./controls";
import { MoreList } from "./more-list";
import { SavingNote } from "./saving-note";

const { muted } = settingsWords;

/** The people and topics that the person has muted. */
export function Muted() {
  const people = [...mutedUsers.value.keys()];
  const topics = [...userTopics.value].filter(
    ([, { visibility_policy: policy, stream_id: id }]) =>
      policy === topicPolicies.muted && channels.value.has(id),
  );
  if (people.length + topics.length === 0)
    return (
      <div class="nothing">
        <b>{muted.none}</b>
        <p>{muted.noneHelp}</p>
      </div>
    );
  return (
    <>
      {people.length > 0 && (
        <Part name={muted.people}>
          <MoreList rows={people} draw={(id) => <MutedPerson key={id} userId={id} />} />
        </Part>
      )}
      {topics.length > 0 && (
        <Part name={muted.topics}>
          <MoreList
            rows={topics}
            draw={([key, { stream_id, topic_name }]) => (
              <MutedTopic key={key} channelId={stream_id} topic={topic_name} />
            )}
          />
        </Part>
      )}
    </>
  );
}

function MutedPerson({ userId }: { userId: number }) {
  const control = `muted person ${userId}`;
  return (
    <li>
      <span class="name" dir="auto">
        {userName(userId)}
      </span>
      <SavingNote control={control} />
      <Unmute
        name={userName(userId)}
        run={() =>
          void save(control, () =>
            remove("/users/me/muted_users/{muted_user_id}", { muted_user_id: userId }),
          )
        }
      />
    </li>
  );
}

function MutedTopic({ channelId, topic }: { channelId: number; topic: string }) {
  const control = `muted topic ${channelId} ${topic}`;
  const unmute = () =>
    post("/user_topics", {
      stream_id: channelId,
      topic,
      visibility_policy: topicPolicies.inherit,
    });
  return (
    <li>
      <ChannelMark channelId={channelId} />
      <span class="name" dir="auto">
        {`${channelName(channelId)} › ${topicName(topic)}`}
      </span>
      <SavingNote control={control} />
      <Unmute name={topicName(topic)} run={() => void save(control, unmute)} />
    </li>
  );
}

const Unmute = ({ name, run }: { name: string; run: () => void }) => (
  <button type="button" class="chip" aria-label={muted.unmuteNamed(name)} onClick={run}>
    {muted.unmute}
  </button>
);
