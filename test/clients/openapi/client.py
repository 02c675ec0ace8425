"""A client that openapi-python-client made of the server's document, as the package `made`. Arguments: address, e-mail, API key."""

import base64
import builtins
import json
import sys

from made import AuthenticatedClient
from made.types import Unset

# openapi-python-client 0.29 forgets to import it where a body may come in several forms.
builtins.Unset = Unset

from made.api.default import get_messages, get_messages_message_id, get_users, post_messages
from made.models.post_messages_json_body import PostMessagesJsonBody

site, email, api_key = sys.argv[1:]
token = base64.b64encode(f"{email}:{api_key}".encode()).decode()
client = AuthenticatedClient(base_url=f"{site}/api/v1", token=token, prefix="Basic", raise_on_unexpected_status=True)

people = get_users.sync(client=client).members
body = PostMessagesJsonBody.from_dict(
    {"type": "channel", "to": "general", "topic": "clients", "content": "Made of the document"}
)
sent = post_messages.sync(client=client, body=body)
narrow = json.dumps([{"operator": "topic", "operand": "clients"}])
page = get_messages.sync(
    client=client, anchor="newest", num_before=10, num_after=0, narrow=narrow, apply_markdown=False
)
refused = get_messages_message_id.sync(client=client, message_id=999_999)

print(
    json.dumps(
        {
            "people": [person.full_name for person in people],
            "sent": sent.id,
            "read": [{"id": one.id, "content": one.content, "topic": one.subject} for one in page.messages],
            "isAll": page.found_newest,
            "refusal": refused.code,
        }
    )
)
