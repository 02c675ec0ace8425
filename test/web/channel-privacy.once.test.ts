import { expect, test } from "bun:test";
import {
  accessOf,
  effectsOf,
  type Privacy,
  type PrivacyEffect,
  privacies,
  privacyOf,
} from "../../src/web/model/channel-privacy";
import { groupsToHold } from "../../src/web/model/permission-holders";
import type { Model } from "../../src/web/model/snapshot";

/* Readers of a channel, effects of a change of that, and groups that may have a permission. */

test("a channel has the privacy that a request gives it", () => {
  for (const privacy of privacies) {
    const { is_private: invite_only, ...others } = accessOf(privacy);
    expect(privacyOf({ invite_only, ...others })).toBe(privacy);
  }
});

test("each change says for whom a channel or its history opens or closes", () => {
  const expected: [Privacy, Privacy, PrivacyEffect[]][] = [
    ["web", "public", ["webCloses"]],
    ["web", "shared", ["webCloses", "organizationCloses"]],
    ["web", "protected", ["webCloses", "organizationCloses", "historyCloses"]],
    ["public", "web", ["webOpens"]],
    ["public", "shared", ["organizationCloses"]],
    ["public", "protected", ["organizationCloses", "historyCloses"]],
    ["shared", "web", ["webOpens", "organizationOpens"]],
    ["shared", "public", ["organizationOpens"]],
    ["shared", "protected", ["historyCloses"]],
    ["protected", "web", ["webOpens", "organizationOpens"]],
    ["protected", "public", ["organizationOpens"]],
    ["protected", "shared", ["historyOpens"]],
  ];
  for (const [before, after, effects] of expected)
    expect([before, after, effectsOf(before, after)]).toEqual([before, after, effects]);
  for (const privacy of privacies) expect(effectsOf(privacy, privacy)).toEqual([]);
});

const group = (id: number, name: string, more: object = {}) => [
  id,
  { id, name, is_system_group: name.startsWith("role:"), deactivated: false, ...more },
];

test("groups of the server are offered as the permission allows, then those that people made", () => {
  const model = {
    groups: new Map([
      group(1, "role:everyone"),
      group(2, "role:fullmembers"),
      group(3, "role:nobody"),
      group(4, "role:internet"),
      group(5, "weavers"),
      group(6, "bakers"),
      group(7, "gone", { deactivated: true }),
    ] as never),
    organization: { waiting_period_threshold: 0 },
    server: {
      server_supported_permission_settings: {
        stream: { can_x: { allow_everyone_group: true, allow_nobody_group: false } },
      },
    },
  } as unknown as Model;
  const idsFor = (present: number) => groupsToHold(model, "can_x", present).map(({ id }) => id);
  expect(idsFor(1)).toEqual([1, 6, 5]);
  // A group that has the permission now is offered, whatever it is.
  expect(idsFor(2)).toEqual([1, 2, 6, 5]);
  expect(idsFor(3)).toEqual([1, 3, 6, 5]);
  expect(idsFor(7)).toEqual([1, 6, 7, 5]);
});
