"""An S3 server in memory (moto) that checks signatures, on a free port of the loopback. Ends when its standard input does."""

import json
import sys

import boto3
from moto import settings
from moto.moto_server.threaded_moto_server import ThreadedMotoServer

BUCKET = "chatd-test-files"
REGION = "us-east-1"

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
endpoint = f"http://{host}:{port}"


def client(service):
    return boto3.client(
        service, endpoint_url=endpoint, region_name=REGION, aws_access_key_id="setup", aws_secret_access_key="setup"
    )


iam = client("iam")
iam.create_user(UserName="chatd")
document = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
iam.put_user_policy(UserName="chatd", PolicyName="all", PolicyDocument=json.dumps(document))
key = iam.create_access_key(UserName="chatd")["AccessKey"]
client("s3").create_bucket(Bucket=BUCKET)
settings.INITIAL_NO_AUTH_ACTION_COUNT = 0.0

print(
    json.dumps(
        {
            "endpoint": endpoint,
            "bucket": BUCKET,
            "region": REGION,
            "accessKeyId": key["AccessKeyId"],
            "secretAccessKey": key["SecretAccessKey"],
        }
    ),
    flush=True,
)
sys.stdin.read()
server.stop()
