import { expect, test } from "bun:test";
import { WatchedTraffic } from "../../src/http/traffic";
import { outcomeOf } from "../support/outcome";

const fails = () => {
  throw new Error("It fails.");
};

test.each([
  ["at once", fails],
  ["later", async () => fails()],
])(
  "a request whose answer fails %s is over for those who watch, and the error goes on",
  async (_, answer) => {
    let inProgress = 0;
    const statuses: (number | undefined)[] = [];
    const traffic = new WatchedTraffic({
      arrived() {
        inProgress += 1;
      },
      answered({ response }) {
        inProgress -= 1;
        statuses.push(response?.status);
      },
    });
    const request = new Request("http://chat.example.com/");
    const follow = async () => traffic.follow(answer, request);
    expect(await outcomeOf(follow())).toThrow("It fails.");
    expect([inProgress, statuses]).toEqual([0, [undefined]]);
    traffic.follow(() => new Response("fine"), request);
    expect([inProgress, statuses]).toEqual([0, [undefined, 200]]);
  },
);
