"""Drives chatd with the unmodified package `zulip` as Alice and Bob: zulip_client.py ZULIPRC CREDENTIALS.

Alice signs in with a zuliprc file, Bob with his key. Prints one JSON object: by name, what each call was answered.
"""

import json
import sys
import threading
import time

import zulip

PATIENCE_SECONDS = 10


class Listener:
    """Collects what call_on_each_event brings, in a thread of its own; call_on_each_event never returns."""

    def __init__(self, client, event_types, narrow=None):
        self.events = []
        self.changed = threading.Condition()
        arguments = (self.receive, event_types, narrow)
        threading.Thread(target=client.call_on_each_event, args=arguments, daemon=True).start()

    def receive(self, event):
        with self.changed:
            self.events.append(event)
            self.changed.notify_all()

    def wait_for(self, is_wanted, seconds=PATIENCE_SECONDS):
        def find():
            return next((event for event in self.events if is_wanted(event)), None)

        with self.changed:
            return self.changed.wait_for(find, seconds)


def connect(zuliprc, credentials):
    user = next(user for user in credentials["users"] if user["email"] == "bob@example.com")
    by_key = {"email": user["email"], "api_key": user["api_key"], "site": credentials["site"]}
    return zulip.Client(config_file=zuliprc), zulip.Client(**by_key)


def read_organization(alice, answers):
    answers["get_server_settings"] = alice.get_server_settings()
    answers["get_profile"] = alice.get_profile()
    answers["get_members"] = alice.get_members()
    answers["get_users"] = alice.get_users({"client_gravatar": False, "include_custom_profile_fields": True})
    bob = next(user for user in answers["get_users"]["members"] if user["email"] == "bob@example.com")
    answers["get_user_by_id"] = alice.get_user_by_id(bob["user_id"], include_custom_profile_fields=True)
    answers["get_user_by_email"] = alice.call_endpoint(url="users/bob@example.com", method="GET")
    answers["get_streams"] = alice.get_streams(include_public=True, include_subscribed=True)
    answers["get_stream_id"] = alice.get_stream_id("general")
    answers["get_subscriptions"] = alice.get_subscriptions()
    return bob["user_id"]


def change_subscriptions(alice, answers):
    streams = [{"name": "tea & cake", "description": "Half past four"}]
    answers["add_subscriptions"] = alice.add_subscriptions(streams)
    answers["add_subscriptions_again"] = alice.add_subscriptions(streams, principals=["bob@example.com"])
    answers["get_new_stream_id"] = alice.get_stream_id("tea & cake")
    answers["remove_subscriptions"] = alice.remove_subscriptions(["tea & cake"])
    answers["get_subscriptions_after"] = alice.get_subscriptions()


def send(alice, bob_id, answers):
    to_channel = {"type": "stream", "to": "general", "topic": "lunch", "content": "**Soup** today"}
    answers["send_to_channel"] = alice.send_message(to_channel)
    to_person = {"type": "private", "to": ["bob@example.com"], "content": "Soup?"}
    answers["send_to_email"] = alice.send_message(to_person)
    answers["send_to_id"] = alice.send_message({"type": "direct", "to": [bob_id], "content": "With bread?"})
    answers["send_to_nobody"] = alice.send_message({**to_person, "to": ["nobody@example.com"]})
    return answers["send_to_channel"]["id"], answers["send_to_email"]["id"]


def read_messages(alice, bob, answers):
    newest = {"anchor": "newest", "num_before": 100, "num_after": 0}
    in_topic = [{"operator": "channel", "operand": "general"}, {"operator": "topic", "operand": "lunch"}]
    answers["get_messages"] = bob.get_messages({**newest, "narrow": in_topic, "apply_markdown": False})
    old_narrow = [["stream", "general"], ["topic", "lunch"]]
    answers["get_messages_by_pairs"] = bob.get_messages({**newest, "narrow": old_narrow})
    with_alice = [{"operator": "pm-with", "operand": "alice@example.com"}]
    answers["get_direct_messages"] = bob.get_messages({**newest, "narrow": with_alice})
    channel_id = answers["get_stream_id"]["stream_id"]
    answers["get_stream_topics"] = alice.get_stream_topics(channel_id)


def mark(bob, channel_message, direct_message, answers):
    flags = {"messages": [channel_message], "op": "add", "flag": "starred"}
    answers["update_message_flags"] = bob.update_message_flags(flags)
    starred = {"anchor": "newest", "num_before": 5, "num_after": 0, "narrow": [["is", "starred"]]}
    answers["get_starred"] = bob.get_messages(starred)
    answers["mark_read"] = bob.update_message_flags({"messages": [direct_message], "op": "add", "flag": "read"})


def receive(zuliprc, bob, alice_id, channel_message, answers):
    """Alice listens in a thread while Bob acts. Bob knocks until she hears him: nobody can see when she has registered."""
    listening = Listener(zulip.Client(config_file=zuliprc), ["message", "reaction", "typing"])
    is_heard = False
    ends_at = time.monotonic() + PATIENCE_SECONDS
    while not is_heard and time.monotonic() < ends_at:
        bob.send_message({"type": "direct", "to": [alice_id], "content": "knock"})
        is_heard = listening.wait_for(lambda event: event["type"] == "message", 0.2) is not None
    sent = bob.send_message({"type": "channel", "to": "general", "topic": "lunch", "content": "I _am_ coming"})
    answers["send_to_listener"] = sent
    answers["heard_message"] = listening.wait_for(
        lambda event: event["type"] == "message" and event["message"]["id"] == sent["id"]
    )
    reaction = {"message_id": channel_message, "emoji_name": "heart"}
    answers["add_reaction"] = bob.add_reaction(reaction)
    answers["heard_reaction"] = listening.wait_for(lambda event: event["type"] == "reaction" and event["op"] == "add")
    answers["remove_reaction"] = bob.remove_reaction(reaction)
    answers["heard_no_reaction"] = listening.wait_for(
        lambda event: event["type"] == "reaction" and event["op"] == "remove"
    )
    answers["set_typing_status"] = bob.set_typing_status({"op": "start", "to": [alice_id]})
    answers["heard_typing"] = listening.wait_for(lambda event: event["type"] == "typing")
    answers["heard_ids"] = [event["id"] for event in listening.events]


def poll(alice, bob, answers):
    """What bots do who poll by themselves."""
    queue = alice.register(["message"], narrow=[["stream", "general"]], apply_markdown=True)
    everything = alice.register()
    answers["register"], answers["register_for_everything"] = queue, everything
    bob.send_message({"type": "direct", "to": ["alice@example.com"], "content": "not for this queue"})
    bob.send_message({"type": "stream", "to": "general", "topic": "tea", "content": "polled"})
    answers["get_events"] = alice.get_events(queue_id=queue["queue_id"], last_event_id=queue["last_event_id"])
    answers["deregister"] = alice.deregister(queue["queue_id"])
    answers["get_events_after"] = alice.get_events(queue_id=queue["queue_id"], last_event_id=-1)


def main():
    zuliprc, credentials_file = sys.argv[1:]
    with open(credentials_file) as file:
        credentials = json.load(file)
    answers = {"version": zulip.__version__}
    alice, bob = connect(zuliprc, credentials)
    bob_id = read_organization(alice, answers)
    change_subscriptions(alice, answers)
    channel_message, direct_message = send(alice, bob_id, answers)
    mark(bob, channel_message, direct_message, answers)
    receive(zuliprc, bob, answers["get_profile"]["user_id"], channel_message, answers)
    read_messages(alice, bob, answers)
    poll(alice, bob, answers)
    print(json.dumps(answers))


main()
